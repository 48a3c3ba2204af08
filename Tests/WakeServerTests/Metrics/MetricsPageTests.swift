import EndpointRegistry
import HTTPListener
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("The page of metrics")
struct MetricsPageTests {
  private static func page(
    _ clock: TestClock = TestClock(), _ read: @escaping StateReader.Read = { _ in StoreOverview() }
  ) -> MetricsPage {
    let state = StateReader(clock: clock.wall, steady: clock.steady, read: read)
    return MetricsPage(metrics: ServiceMetrics(), state: state) {
      var depths = MetricsPage.Depths()
      (depths.pipeline, depths.sender, depths.results) = (1, 2, 3)
      (depths.writer, depths.readers, depths.streams) = (4, 5, 6)
      return depths
    }
  }

  @Test("every metric is on it, in both formats, and nothing else", arguments: ExpositionFormat.allCases)
  func complete(format: ExpositionFormat) async throws {
    let page = try ExpositionText(await Self.page().text(format))
    let names = Metric.all.map { format == .openMetrics ? $0.name : $0.queriedName }
    #expect(page.families == Set(names) && Set(names).count == names.count)
    // What has series only once there was something to count.
    let later: Set = [
      "wake_http_requests_total", "wake_http_request_seconds",
    ]
    for metric in Metric.all where !later.contains(metric.queriedName) {
      #expect(page.names.contains { $0.hasPrefix(metric.queriedName) }, "\(metric.queriedName)")
    }
  }

  @Test("queues and streams are what they are said to be")
  func depths() async throws {
    let page = try ExpositionText(await Self.page().text(.openMetrics))
    let queues = ["pipeline", "sender", "results", "writer", "readers"]
    #expect(queues.map { page["wake_queue_depth{queue=\"\($0)\"}"] } == [1, 2, 3, 4, 5])
    #expect(page["wake_streams"] == 6)
  }

  @Test("the process is told of as the system sees it")
  func process() async throws {
    let page = try ExpositionText(await Self.page().text(.prometheus))
    let start = try #require(page["process_start_time_seconds"])
    let now = Double(WallClock.system.now()) / 1_000
    #expect(start > now - 86_400 && start < now + 60)
    let resident = try #require(page["process_resident_memory_bytes"])
    let virtual = try #require(page["process_virtual_memory_bytes"])
    #expect(resident > 1_000_000 && virtual >= resident)
    let open = try #require(page["process_open_fds"])
    let maximum = try #require(page["process_max_fds"])
    #expect(open >= 3 && maximum >= open)
    let cpu = try #require(page["process_cpu_seconds_total"])
    #expect(cpu > 0)
  }

  @Test("it is GET and HEAD of one path, without a token; all else is not there")
  func requests() async throws {
    let page = Self.page()
    func ask(_ method: String, _ target: String) async -> HTTPResponse {
      await page.respond(to: HTTPRequest(method: method, target: target))
    }
    let get = await ask("GET", "/metrics")
    #expect(get.status == 200 && get.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(await ask("GET", "/metrics?x=1").status == 200)
    #expect(await ask("HEAD", "/metrics").status == 200)
    let post = await ask("POST", "/metrics")
    #expect(post.status == 405 && post.header("Allow") == "GET, HEAD")
    for target in ["/", "/metrics/", "/Metrics", "/healthz", "/v1/kinds", "/v1/admin/stacks", "/console"] {
      #expect(await ask("GET", target).status == 404, "\(target)")
    }
    let open = await page.respond(
      to: HTTPRequest(
        method: "GET", target: "/metrics", headers: [("accept", "application/openmetrics-text")]))
    #expect(
      open.header("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8"
        && open.body.suffix(6) == Array("# EOF\n".utf8)[...])
  }

  @Test("nothing that the service can do is asked of it there, whatever token is shown")
  func otherRoutes() async throws {
    let page = Self.page()
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      let admin = try await service.store.addAdminToken("laptop", at: 0).text
      let visits = try await RouteVisit.all(of: service, phone)
      let before = try await service.picture()
      for visit in visits {
        for token in [visit.token ?? admin, admin] {
          let reply = await page.respond(
            to: HTTPRequest(
              method: visit.route.method, target: visit.path,
              headers: [("Authorization", "Bearer \(token)")]))
          #expect(reply.status == 404, "\(visit.name)")
        }
      }
      #expect(try await service.picture() == before)
    }
  }

  @Test("every answer has the name of its request")
  func requestNames() async throws {
    let page = Self.page()
    for target in ["/metrics", "/elsewhere"] {
      let named = await page.respond(
        to: HTTPRequest(method: "GET", target: target, headers: [("x-request-id", "scrape-17")]))
      #expect(named.header("X-Request-Id") == "scrape-17")
      let unnamed = await page.respond(to: HTTPRequest(method: "POST", target: target))
      #expect(unnamed.header("X-Request-Id")?.utf8.count == 16)
    }
    #expect(page.refuse(.bodyTooLarge).header("X-Request-Id")?.utf8.count == 16)
  }

  @Test("the store is read once in fifteen seconds, however many scrape at once")
  func cached() async throws {
    let clock = TestClock()
    let reads = Mutex(0)
    let page = Self.page(clock) { _ in
      reads.withLock { $0 += 1 }
      return StoreOverview()
    }
    await withDiscardingTaskGroup { group in
      for _ in 1...20 { group.addTask { _ = await page.text(.openMetrics) } }
    }
    #expect(reads.withLock(\.self) == 1)
    clock.pass(14_999)
    _ = await page.text(.openMetrics)
    #expect(reads.withLock(\.self) == 1)
    clock.pass(1)
    _ = await page.text(.openMetrics)
    #expect(reads.withLock(\.self) == 2)
  }

  @Test("where the store cannot be read the page says so, and leaves out what is not known")
  func unreadable() async throws {
    let page = try ExpositionText(
      await Self.page { _ throws(RegistryError) in throw .busy }.text(.openMetrics))
    #expect(page["wake_store_readable"] == 0)
    #expect(page.series("wake_devices").isEmpty && page.series("wake_stacks").isEmpty)
    #expect(page["wake_queue_depth{queue=\"sender\"}"] == 2)
  }
}
