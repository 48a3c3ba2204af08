import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("The metrics listener")
struct MetricsTests {
  private static let python = "/usr/bin/python3"
  /// The strict reader of OpenMetrics that Prometheus' own client has for Python.
  private static let reader = """
    import sys
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    for family in text_string_to_metric_families(sys.stdin.read()): print(family.name, family.type)
    """

  /// Why there is no such reader here; nil where there is one.
  private static let readerMissing: String? = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", "import prometheus_client.openmetrics.parser"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "\(python) is not there" }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : "python3-prometheus-client is not there"
  }()

  private static func scrape(_ server: Server, accept: String = "*/*") async throws -> HTTPExchange {
    try await HTTPClient().send(
      "GET", "http://\(try #require(server.metrics))/metrics", headers: [("Accept", accept)])
  }

  /// Runs `body` with a server after some of everything: accepted, refused and answered wakes, and errors.
  private static func withTraffic(
    _ body: (Server, StandInPushServer) async throws -> Void
  ) async throws {
    let pushServer = try StandInPushServer()
    let settings = [
      "WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0", "WAKE_METRICS_LISTEN": "127.0.0.1:0",
    ]
    try await Server.with(settings) { server in
      let phone = try await server.phone(pushServer, stack: "home", target: "/up/secret-path")
      _ = await pushServer.wait(for: 1)
      pushServer.answer("/up/secret-path", with: 403)
      let raised = try await server.ask(
        "POST", "/v1/stacks/\(phone.stack)/alerts", token: phone.hook, json: ["kind": "problem"])
      #expect(raised.status == 202)
      _ = await pushServer.wait(for: 2)
      #expect(try await server.ask("GET", "/v1/stacks/\(phone.stack)", token: "none").status == 401)
      let end = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < end {
        let page = try ExpositionText(String(decoding: try await scrape(server).body, as: UTF8.self))
        if page["wake_wakes_total{outcome=\"refused\",push_server=\"\(pushServer.origin)\"}"] == 1 { break }
        try await Task.sleep(for: .milliseconds(20))
      }
      try await body(server, pushServer)
    }
    await pushServer.stop()
  }

  @Test(
    "promtool has nothing to say against the older text after real traffic",
    .enabled(if: Promtool.isHere, Promtool.absent))
  func promtool() async throws {
    try await Self.withTraffic { server, pushServer in
      let answer = try await Self.scrape(server)
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
      let text = String(decoding: answer.body, as: UTF8.self)
      let page = try ExpositionText(text)
      for outcome in ["accepted", "refused"] {
        #expect(page["wake_wakes_total{outcome=\"\(outcome)\",push_server=\"\(pushServer.origin)\"}"] == 1)
      }
      let checked = try await Promtool.program("check", "metrics").run(input: text)
      #expect(checked.exitCode == 0 && checked.errors.isEmpty && checked.output.isEmpty, "\(checked)")
      // It does find faults.
      let faulty = try await Promtool.program("check", "metrics").run(
        input: text + "# TYPE wake_wakes counter\nwake_wakes 1\n")
      #expect(faulty.exitCode != 0)
    }
  }

  @Test(
    "a strict reader of OpenMetrics takes the page after real traffic",
    .enabled(if: readerMissing == nil, "SKIPPED: \(readerMissing ?? "")"))
  func openMetrics() async throws {
    try await Self.withTraffic { server, _ in
      let answer = try await Self.scrape(server, accept: "application/openmetrics-text; version=1.0.0")
      #expect(
        answer.header("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.hasSuffix("\n# EOF\n") && !text.contains("secret-path"))
      let read = try await Program(path: Self.python, arguments: ["-c", Self.reader]).run(input: text)
      #expect(read.exitCode == 0, "\(read.errors)")
      #expect(read.output.contains("wake_wakes counter\n"))
      #expect(read.output.contains("wake_receipt_seconds histogram\n"))
      let cut = try await Program(path: Self.python, arguments: ["-c", Self.reader]).run(
        input: String(text.dropLast("# EOF\n".count)))
      #expect(cut.exitCode != 0)
    }
  }

  @Test("it has one page and no other, without a token, and HEAD is answered without content")
  func onePage() async throws {
    try await Server.with(["WAKE_METRICS_LISTEN": "127.0.0.1:0"]) { server in
      let address = try #require(server.metrics)
      let http = HTTPClient()
      for path in ["/", "/healthz", "/v1/kinds", "/v1/admin/stacks", "/console", "/metrics/"] {
        #expect(try await http.send("GET", "http://\(address)\(path)").status == 404, "\(path)")
      }
      for door in [server.address] {
        #expect(try await http.send("GET", "http://\(door)/metrics").status == 404)
      }
      let head = try await http.send("HEAD", "http://\(address)/metrics")
      #expect(head.status == 200 && head.body.isEmpty)
      let length = try #require(head.header("Content-Length").flatMap { Int($0) })
      #expect(length > 1_000)
      #expect(try await http.send("DELETE", "http://\(address)/metrics").status == 405)
    }
  }

  @Test("it may be a Unix socket, and is nowhere unless it is named")
  func unixSocket() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let socket = folder.path("metrics.sock")
    try await Server.with(["WAKE_METRICS_LISTEN": "unix:\(socket)"]) { server in
      #expect(server.metrics == "unix:\(socket)")
      let answer = try await HTTPClient(unixSocket: socket).send("GET", "http://localhost/metrics")
      #expect(answer.status == 200)
    }
    try await Server.with { server in #expect(server.metrics == nil) }
  }
}
