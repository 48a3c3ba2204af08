import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("Push servers that ask for a pause")
struct HoldTests {
  /// A push server that answers each target as it is told, 201 otherwise.
  private final class BusyServer: Sendable {
    private final class Answers: Sendable {
      let answers = Mutex<[String: RawAnswer]>([:])
    }

    private let answers = Answers()
    let server: RawServer

    init() throws {
      server = try RawServer { [answers] request in
        answers.answers.withLock { $0[request.target] } ?? .status(201)
      }
    }

    var origin: String { "http://127.0.0.1:\(server.port)" }
    func answer(_ target: String, _ answer: RawAnswer) { answers.answers.withLock { $0[target] = answer } }
    func count(_ target: String) -> Int { server.requests.count { $0.target == target } }
  }

  private static func refusal(_ retryAfter: String? = nil, status: Int = 429) -> RawAnswer {
    .status(status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
  }

  /// Two days: what is raised during the longest pause is still fresh at its end.
  private static let ttl = 172_800

  /// A service with a busy push server, on a clock that the test moves.
  private static func with(
    window: Int = 0, _ body: (TestService, BusyServer, TestClock) async throws -> Void
  ) async throws {
    let (clock, busy) = (TestClock(), try BusyServer())
    defer { busy.server.stop() }
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, window: window, ttl: Self.ttl, alsoAllows: busy.origin
    ) { try await body($0, busy, clock) }
  }

  /// A phone there whose activation wake was taken.
  private static func phone(_ target: String, _ service: TestService, _ busy: BusyServer) async throws
    -> Phone
  {
    let companion = try Companion()
    let before = busy.count(target)
    let reply = try await service.register(companion.registration(endpoint: busy.origin + target))
    let device = try #require(reply.json["device"]?.string)
    try await service.eventually { busy.count(target) == before + 1 }
    try await service.eventually { try await rows(service, device).allSatisfy { $0.outcome != .unknown } }
    return Phone(
      companion: companion, device: device, token: try #require(reply.json["token"]?.string), target: target)
  }

  private static func rows(_ service: TestService, _ device: String) async throws -> [Attempt] {
    try await service.store.attempts(AttemptFilter(device: DeviceID(device)), before: nil, limit: 200)
      .reversed()
  }

  private static func state(_ service: TestService, _ phone: Phone, at: Int64) async throws -> DeviceState? {
    let id = try #require(DeviceID(phone.device))
    return try await service.store.device(id)?.state(at: at)
  }

  /// Raises an alert, and waits for a row of that outcome which stands for it.
  private static func raise(
    _ service: TestService, until outcome: AttemptOutcome, of phone: Phone
  ) async throws {
    let reply = try await service.hook(["kind": "problem"])
    let id = try #require(reply.json["id"]?.string)
    try await service.eventually {
      try await rows(service, phone.device).contains { $0.outcome == outcome && $0.alertLast?.text == id }
    }
  }

  /// 2026-01-01 00:00:03 GMT, three seconds ahead of the test's clock.
  private static let date = "Thu, 01 Jan 2026 00:00:03 GMT"

  @Test(
    "429: nothing to that endpoint before the time, ten alerts become one wake at its end, and others go on",
    arguments: [
      ("3", 429, 3_000, 3_000), (date, 429, 3_000, 3_000), (nil, 429, 60_000, 75_000),
      ("-5", 429, 60_000, 75_000), ("0", 429, 60_000, 75_000),
      ("99999999999999999999", 429, 86_400_000, 86_400_000),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 429, 86_400_000, 86_400_000), ("7", 503, 7_000, 7_000),
      ("7", 400, 7_000, 7_000),
    ] as [(String?, Int, Int64, Int64)])
  func pause(retryAfter: String?, status: Int, least: Int64, most: Int64) async throws {
    try await Self.with { service, busy, clock in
      let phone = try await Self.phone("/busy", service, busy)
      let other = try await Self.phone("/calm", service, busy)
      busy.answer("/busy", Self.refusal(retryAfter, status: status))
      let start = clock.now
      try await Self.raise(service, until: .throttled, of: phone)
      let target = try await service.store.wakeTarget(#require(DeviceID(phone.device)))
      let until = try #require(target?.hold.end(at: start))
      #expect((start + least...start + most).contains(until))
      busy.answer("/busy", .status(201))
      for _ in 0..<10 { try await Self.raise(service, until: .held, of: phone) }
      // The other one is told of all eleven, each time as soon as it has answered the wake before.
      try await service.eventually {
        let told = try await Self.rows(service, other.device).filter { $0.outcome == .accepted }
        return told.map(\.alertCount).reduce(0, +) == 11
      }
      #expect(try await Self.state(service, phone, at: clock.now) == .held)
      let shown = try await service.send("GET", "\(service.path)/delivery", token: service.hookToken.text)
      #expect(shown.json["devices"]?["held"] == 1)

      // Time passes up to the end, and no request comes of it.
      clock.pass(until - clock.now - 1)
      #expect(busy.count("/busy") == 2)
      try await service.eventually {
        clock.pass(100)
        return busy.count("/busy") == 3
      }
      try await service.eventually {
        try await Self.rows(service, phone.device).last?.outcome == .accepted
      }
      let rows = try await Self.rows(service, phone.device)
      #expect(rows.last?.alertCount == 10 && rows.last?.alertFirst?.number == 2)
      #expect(rows.count { $0.outcome == .throttled } == 1)
      #expect(rows.filter { $0.outcome == .held }.map(\.alertCount).reduce(0, +) == 10)
      #expect(try await Self.state(service, phone, at: clock.now) == .unconfirmed)
    }
  }

  @Test("without an alert meanwhile nothing goes at the end of a pause, and the device is undelivered")
  func nothingMeanwhile() async throws {
    try await Self.with { service, busy, clock in
      let phone = try await Self.phone("/busy", service, busy)
      busy.answer("/busy", Self.refusal("3"))
      try await Self.raise(service, until: .throttled, of: phone)
      clock.pass(3_600_000)
      #expect(try await Self.state(service, phone, at: clock.now) == .undelivered)
      busy.answer("/busy", .status(201))
      // The next alert's wake is the next request.
      try await Self.raise(service, until: .accepted, of: phone)
      #expect(busy.count("/busy") == 3)
    }
  }

  @Test("pauses that nobody names double until a wake is taken")
  func doubling() async throws {
    try await Self.with { service, busy, clock in
      let phone = try await Self.phone("/busy", service, busy)
      let id = try #require(DeviceID(phone.device))
      busy.answer("/busy", Self.refusal())
      func refused(atLeast seconds: Int64) async throws {
        try await Self.raise(service, until: .throttled, of: phone)
        let until = try #require(try await service.store.wakeTarget(id)?.hold.end(at: clock.now))
        #expect((seconds * 1_000...seconds * 1_250).contains(until - clock.now))
        clock.pass(until - clock.now)
      }
      for seconds: Int64 in [60, 120, 240] { try await refused(atLeast: seconds) }
      busy.answer("/busy", .status(201))
      try await Self.raise(service, until: .accepted, of: phone)
      try await service.eventually { try await service.store.wakeTarget(id)?.hold == WakeHold() }
      busy.answer("/busy", Self.refusal())
      try await refused(atLeast: 60)
    }
  }

  @Test("a pause shorter than the window is what counts: the wake that was refused opened none")
  func window() async throws {
    try await Self.with(window: 30) { service, busy, clock in
      let phone = try await Self.phone("/busy", service, busy)
      busy.answer("/busy", Self.refusal("3"))
      try await Self.raise(service, until: .throttled, of: phone)
      busy.answer("/busy", .status(201))
      try await Self.raise(service, until: .held, of: phone)
      try await service.eventually { clock.sleepers > 0 }
      clock.pass(4_000)
      try await service.eventually { busy.count("/busy") == 3 }
    }
  }

  @Test("a test wake to a device that is held is not sent, and says so")
  func testWake() async throws {
    try await Self.with { service, busy, clock in
      let phone = try await Self.phone("/busy", service, busy)
      busy.answer("/busy", Self.refusal("300"))
      try await Self.raise(service, until: .throttled, of: phone)
      let reply = try await service.send(
        "POST", "/v1/admin/devices/\(phone.device)/test", json: [:], door: .admin)
      #expect(reply.status == 200 && reply.json["outcome"] == "held" && reply.json["purpose"] == "test")
      let own = try await service.send(
        "POST", "\(service.path(of: phone))/test", token: phone.token, json: [:])
      #expect(own.status == 202)
      try await service.eventually {
        try await Self.rows(service, phone.device).count { $0.outcome == .held && $0.purpose == .test } == 2
      }
      #expect(busy.count("/busy") == 2)
    }
  }

  @Test(
    "three 429 hold the whole origin: whoever waits there is told once at its end, a newcomer's activation too"
  )
  func origin() async throws {
    try await Self.with { service, busy, clock in
      var phones: [Phone] = []
      for number in 0..<40 { phones.append(try await Self.phone("/\(number)", service, busy)) }
      for phone in phones { busy.answer(phone.target, Self.refusal("100")) }
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      // Every row says what became of it.
      try await service.eventually {
        let rows = try await service.store.attempts(AttemptFilter(), before: nil, limit: 200)
        return rows.count { $0.purpose == .alert && $0.outcome != .unknown } == 40
      }
      let refused = try await service.store.attempts(
        AttemptFilter(outcome: .throttled), before: nil, limit: 200)
      #expect(refused.count >= 3 && refused.count == busy.server.requests.count - 40)
      let shown = try await service.send("GET", "\(service.path)/delivery", token: service.hookToken.text)
      #expect(shown.json["devices"]?["held"] == 40)
      #expect(shown.json["pushServers"]?.array?.first?["held"]?["until"] != .null)
      try await Self.raise(service, until: .held, of: phones[0])
      let companion = try Companion()
      let late = try await service.register(companion.registration(endpoint: busy.origin + "/late"))
      let device = try #require(late.json["device"]?.string)
      try await service.eventually { try await Self.rows(service, device).map(\.outcome) == [.held] }
      for phone in phones { busy.answer(phone.target, .status(201)) }
      let before = busy.server.requests.count
      clock.pass(99_000)
      #expect(busy.server.requests.count == before)
      try await service.eventually {
        clock.pass(100)
        return busy.server.requests.count == before + 41
      }
      #expect(busy.count("/late") == 1)
      for phone in phones { #expect(busy.count(phone.target) <= 3) }
    }
  }

  @Test("activation wakes that a pause met on their way go out at its end, once each")
  func activations() async throws {
    let (clock, busy) = (TestClock(), try BusyServer())
    defer { busy.server.stop() }
    let targets = (0..<30).map { "/\($0)" }
    for target in targets { busy.answer(target, Self.refusal("100")) }
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, ttl: Self.ttl, delivers: false, alsoAllows: busy.origin
    ) { service in
      for target in targets {
        let companion = try Companion()
        let reply = try await service.register(companion.registration(endpoint: busy.origin + target))
        #expect(reply.status == 201)
      }
      service.deliver()
      func rows(_ outcome: AttemptOutcome) async throws -> [Attempt] {
        try await service.store.attempts(AttemptFilter(outcome: outcome), before: nil, limit: 200)
      }
      try await service.eventually {
        let devices = Set(try await (rows(.throttled) + rows(.held)).map(\.device))
        let open = try await rows(.unknown)
        return devices.count == targets.count && open.isEmpty
      }
      let refused = busy.server.requests.count
      #expect(refused >= 3 && refused < targets.count)
      for target in targets { busy.answer(target, .status(201)) }
      clock.pass(100_000)
      try await service.eventually {
        clock.pass(1_000)
        return busy.server.requests.count == targets.count
      }
      try await service.eventually { try await rows(.accepted).count == targets.count - refused }
      for target in targets { #expect(busy.count(target) == 1) }
    }
  }

  @Test("an activation wake that waits for a pause keeps none of a new endpoint waiting")
  func newEndpoint() async throws {
    try await Self.with { service, busy, _ in
      // Three refusals hold the origin.
      for number in 0..<3 { busy.answer("/\(number)", Self.refusal("3600")) }
      for number in 0..<3 {
        let target = "/\(number)"
        let first = try Companion()
        _ = try await service.register(first.registration(endpoint: busy.origin + target))
        try await service.eventually { busy.count(target) == 1 }
      }
      let companion = try Companion()
      let reply = try await service.register(companion.registration(endpoint: busy.origin + "/old"))
      let (device, token) = (
        try #require(reply.json["device"]?.string), try #require(reply.json["token"]?.string)
      )
      try await service.eventually { try await Self.rows(service, device).map(\.outcome) == [.held] }
      let changed = try await service.send(
        "PATCH", "\(service.path)/devices/\(device)", token: token,
        json: ["endpoint": .string(service.pushServer.origin + "/new"), "keys": companion.keys])
      #expect(changed.status == 200)
      #expect(await service.pushServer.wait(for: 1).map(\.target) == ["/new"])
      #expect(busy.count("/old") == 0)
    }
  }
}
