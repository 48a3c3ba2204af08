import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("One wake in a window")
struct WindowTests {
  /// A window of 30 s, after whose end a wake goes within another second of simulated time.
  private static let window = 30
  private static let afterWindow: Int64 = 31_000

  private static func with(
    window: Int = Self.window, body: (TestService, TestClock) async throws -> Void
  ) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, window: window) { service in
      try await body(service, clock)
    }
  }

  private static func raise(
    _ kind: Kind = .problem, times: Int = 1, in service: TestService
  ) async throws -> [String] {
    var ids: [String] = []
    for _ in 0..<times {
      let reply = try await service.hook(["kind": .string(kind.name)])
      ids.append(try #require(reply.json["id"]?.string))
    }
    return ids
  }

  /// The rows of alert wakes, the oldest first.
  private static func rows(
    _ service: TestService, of phone: Phone? = nil, _ outcome: AttemptOutcome? = nil
  ) async throws -> [Attempt] {
    let filter = AttemptFilter(device: phone.flatMap { DeviceID($0.device) }, outcome: outcome)
    return try await service.store.attempts(filter, before: nil, limit: 200)
      .filter { $0.purpose == .alert }.reversed()
  }

  /// Waits until nothing is left to do before time passes: whoever has to has gone to sleep.
  private static func waitsForTheEnd(_ service: TestService, _ clock: TestClock) async throws {
    try await service.eventually { clock.sleepers > 0 }
  }

  /// A phone that got its activation and a first alert's wake, and for which a second alert waits.
  private static func waitingPhone(
    _ service: TestService, _ clock: TestClock, _ kind: Kind = .problem
  ) async throws -> Phone {
    let phone = try await service.phone()
    _ = await service.pushServer.wait(for: 1)
    _ = try await raise(kind, in: service)
    _ = await service.pushServer.wait(for: 2)
    _ = try await raise(kind, in: service)
    try await waitsForTheEnd(service, clock)
    return phone
  }

  /// A test wake goes through after all that was to be done before: with it there is one message more, and no other.
  private static func expectNoMore(than count: Int, _ service: TestService, _ phone: Phone) async throws {
    let reply = try await service.send(
      "POST", "\(service.path(of: phone))/test", token: phone.token, json: [:])
    #expect(reply.status == 202)
    #expect(await service.pushServer.wait(for: count + 1).count == count + 1)
  }

  @Test("a storm of 1,000 alerts is one wake now and one at the window's end, and three rows")
  func storm() async throws {
    try await Self.with { service, clock in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      var ids = try await Self.raise(in: service)
      _ = await service.pushServer.wait(for: 2)
      ids += try await Self.raise(times: 999, in: service)
      try await Self.waitsForTheEnd(service, clock)
      #expect(service.pushServer.messages.count == 2)

      clock.pass(Self.afterWindow)
      _ = await service.pushServer.wait(for: 3)
      try await service.eventually { try await Self.rows(service, of: phone, .accepted).count == 2 }
      #expect(service.pushServer.messages.count == 3)
      let rows = try await Self.rows(service, of: phone)
      #expect(rows.map(\.outcome) == [.accepted, .coalesced, .accepted])
      #expect(rows.map(\.alertFirst?.text) == [ids[0], ids[1], ids[1]])
      #expect(rows.map(\.alertLast?.text) == [ids[0], ids[999], ids[999]])
      #expect(rows.map(\.alertCount) == [1, 999, 999])
    }
  }

  @Test("nothing more goes out once everything was told of")
  func quietAfterwards() async throws {
    try await Self.with { service, clock in
      let phone = try await Self.waitingPhone(service, clock)
      clock.pass(Self.afterWindow)
      _ = await service.pushServer.wait(for: 3)
      for _ in 1...3 { clock.pass(Self.afterWindow) }
      try await Self.expectNoMore(than: 3, service, phone)
      #expect(try await service.store.stacksToNudge().isEmpty)
    }
  }

  @Test("who mutes the kind of the first alert is woken at once by the first of another kind")
  func mutes() async throws {
    try await Self.with { service, clock in
      let one = try await service.phone("/up/one")
      let other = try await service.phone("/up/other")
      #expect(try await service.patch(other, ["muted": ["problem"]]).status == 200)
      _ = await service.pushServer.wait(for: 2)
      _ = try await Self.raise(.problem, in: service)
      _ = await service.pushServer.wait(for: 3)
      _ = try await Self.raise(.problem, times: 2, in: service)
      try await Self.waitsForTheEnd(service, clock)
      _ = try await Self.raise(.backup, in: service)
      let messages = await service.pushServer.wait(for: 4)
      #expect(messages.dropFirst(2).map(\.target) == ["/up/one", "/up/other"])

      try await service.eventually { try await Self.rows(service, of: one, .coalesced).count == 1 }
      clock.pass(Self.afterWindow)
      let more = await service.pushServer.wait(for: 5)
      #expect(more.last?.target == "/up/one")
      await service.settle()
      #expect(service.pushServer.messages.count == 5)
      let muted = try await Self.rows(service, of: other, .muted)
      #expect(muted.map(\.alertCount) == [3])
      #expect(try await Self.rows(service, of: one).map(\.alertCount) == [1, 3, 3])
    }
  }

  @Test("when a wake goes is the same for every kind", arguments: Kind.allCases)
  func everyKind(kind: Kind) async throws {
    try await Self.with { service, clock in
      let phone = try await Self.waitingPhone(service, clock, kind)
      clock.pass(29_999)
      _ = try await Self.raise(kind, in: service)
      try await Self.expectNoMore(than: 2, service, phone)
      clock.pass(Self.afterWindow - 29_999)
      _ = await service.pushServer.wait(for: 4)
      try await Self.expectNoMore(than: 4, service, phone)
    }
  }

  @Test("a stack's own window counts, and 0 merges nothing")
  func ownWindow() async throws {
    try await Self.with { service, clock in
      _ = try await service.store.setWindow(0, of: service.stack.id)
      _ = try await service.phone()
      for count in 1...3 {
        _ = await service.pushServer.wait(for: count)
        _ = try await Self.raise(in: service)
      }
      #expect(await service.pushServer.wait(for: 4).count == 4)
      _ = try await service.store.setWindow(3_600, of: service.stack.id)
      _ = try await Self.raise(in: service)
      try await Self.waitsForTheEnd(service, clock)
      clock.pass(3_600_000 - 1)
      #expect(service.pushServer.messages.count == 4)
      clock.pass(3_600_000)
      _ = await service.pushServer.wait(for: 5)
    }
  }

  @Test("activation and test wakes stand outside the window")
  func outside() async throws {
    try await Self.with { service, _ in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      _ = try await Self.raise(in: service)
      _ = await service.pushServer.wait(for: 2)
      for count in 3...5 {
        let reply = try await service.send(
          "POST", "\(service.path(of: phone))/test", token: phone.token, json: [:])
        #expect(reply.status == 202)
        #expect(await service.pushServer.wait(for: count).count == count)
      }
      _ = try await service.patch(
        phone, ["endpoint": .string("\(service.pushServer.origin)/up/new"), "keys": phone.companion.keys])
      #expect(await service.pushServer.wait(for: 6).last?.target == "/up/new")
    }
  }

  @Test("a window that another process makes shorter counts at once for what waits")
  func shorterWindow() async throws {
    try await Self.with(window: 3_600) { service, clock in
      _ = try await Self.waitingPhone(service, clock)
      clock.pass(2_000)
      _ = try await service.store.setWindow(1, of: service.stack.id)
      #expect(await service.pushServer.wait(for: 3).count == 3)
    }
  }

  @Test("a kind that another process unmutes wakes at once, when no window is open")
  func unmutedElsewhere() async throws {
    try await Self.with { service, _ in
      let phone = try await service.phone()
      let device = try #require(DeviceID(phone.device))
      _ = try await service.store.updateDevice(device, DeviceChange(muted: .set([.update])), at: 0)
      _ = await service.pushServer.wait(for: 1)
      for _ in 1...2 { _ = try await Self.raise(.update, in: service) }
      try await service.eventually {
        try await Self.rows(service, of: phone, .muted).reduce(0) { $0 + $1.alertCount } >= 1
      }
      _ = try await service.store.updateDevice(device, DeviceChange(muted: .set([])), at: 0)
      _ = try await Self.raise(.update, in: service)
      #expect(await service.pushServer.wait(for: 2).count == 2)
    }
  }

  @Test("new keys for the same endpoint leave its window as it was")
  func newKeys() async throws {
    try await Self.with { service, clock in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      _ = try await Self.raise(in: service)
      _ = await service.pushServer.wait(for: 2)
      #expect(try await service.patch(phone, ["keys": Companion().keys]).status == 200)
      _ = await service.pushServer.wait(for: 3)
      _ = try await Self.raise(in: service)
      try await Self.waitsForTheEnd(service, clock)
      try await Self.expectNoMore(than: 3, service, phone)
    }
  }

  static let clockChanges: [Int64] = [7_200_000, 25 * 3_600_000, 87_660 * 3_600_000].flatMap { [$0, -$0] }

  @Test(
    "a time of day that is set, by hours, a day or ten years, forward or back, keeps nobody's wake",
    arguments: clockChanges)
  func clockIsSet(jump: Int64) async throws {
    try await Self.with { service, clock in
      _ = try await Self.waitingPhone(service, clock)
      clock.pass(1_000, jump: jump)
      clock.pass(Self.afterWindow)
      #expect(await service.pushServer.wait(for: 3).count == 3)
    }
  }

  @Test("a push server that does not answer gets one wake of a device, and one when that has ended")
  func oneUnderWay() async throws {
    try await Self.with(window: 0) { service, _ in
      let phone = try await service.phone("/up/slow")
      _ = await service.pushServer.wait(for: 1)
      service.pushServer.hold("/up/slow")
      var ids = try await Self.raise(in: service)
      _ = await service.pushServer.wait(for: 2)
      ids += try await Self.raise(times: 19, in: service)
      try await service.eventually {
        try await Self.rows(service, of: phone, .coalesced).last?.alertLast?.text == ids[19]
      }
      #expect(service.pushServer.messages.count == 2)
      service.pushServer.release("/up/slow")
      _ = await service.pushServer.wait(for: 3)
      try await service.eventually { try await Self.rows(service, of: phone, .accepted).count == 2 }
      #expect(service.pushServer.messages.count == 3)
      #expect(try await Self.rows(service, of: phone, .accepted).last?.alertLast?.text == ids[19])
    }
  }
}

@Suite("Wakes that the last process owed")
struct OwedWakeTests {
  private static let hour: Int64 = 3_600_000

  /// Raises alerts while nothing goes out, lets time pass, and then starts to deliver.
  private static func after(
    _ pause: Int64, _ bodies: [JSONValue], ttl: Int = 86_400, check: (TestService, Phone) async throws -> Void
  ) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, window: 30, ttl: ttl, delivers: false)
    {
      service in
      let phone = try await service.phone()
      for body in bodies { #expect(try await service.hook(body).status == 202) }
      clock.pass(pause)
      service.deliver()
      try await service.eventually { try await service.store.stacksToNudge().isEmpty }
      await service.settle()
      try await check(service, phone)
    }
  }

  private static func rows(_ service: TestService) async throws -> [Attempt] {
    try await service.store.attempts(AttemptFilter(), before: nil, limit: 200)
      .filter { $0.purpose == .alert }.reversed()
  }

  @Test("alerts that nobody was woken for are one wake at the next start")
  func oneWake() async throws {
    let problem: JSONValue = ["kind": "problem"]
    try await Self.after(Self.hour, [problem, problem, ["kind": "backup", "wake": false]]) { service, phone in
      let rows = try await Self.rows(service)
      #expect(rows.map(\.outcome) == [.accepted])
      #expect(rows.map(\.alertCount) == [2])
      #expect(rows.first?.device.text == phone.device)
    }
  }

  @Test("those that are older than the TTL by then wake nobody and have a row that says so")
  func stale() async throws {
    try await Self.after(25 * Self.hour, [["kind": "problem"], ["kind": "update"]]) { service, _ in
      let rows = try await Self.rows(service)
      #expect(rows.map(\.outcome) == [.stale])
      #expect(rows.map(\.alertCount) == [2])
    }
  }

  @Test("an activation wake that the last process owed is sent at the next start, and once")
  func activation() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      let phone = try await service.phone()
      #expect(try await service.store.activationsOwed(limit: 10).map(\.device.text) == [phone.device])
      service.deliver()
      #expect(await service.pushServer.wait(for: 1).count == 1)
      await service.settle()
      #expect(service.pushServer.messages.count == 1)
      #expect(try await service.store.activationsOwed(limit: 10).isEmpty)
      let rows = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
      #expect(rows.map(\.purpose) == [.activation])
    }
  }

  @Test(
    "an alert is worth a wake for an hour, however short the TTL is", arguments: [(59, true), (61, false)])
  func shortTTL(minutes: Int64, isWoken: Bool) async throws {
    try await Self.after(minutes * Self.hour / 60, [["kind": "problem"]], ttl: 60) { service, _ in
      let rows = try await Self.rows(service)
      #expect(rows.map(\.outcome) == [isWoken ? .accepted : .stale])
    }
  }

  @Test("one that is kept for reading alone wakes nobody, then or later")
  func readOnly() async throws {
    try await Self.after(Self.hour, [["kind": "completion", "wake": false]]) { service, _ in
      let rows = try await Self.rows(service)
      #expect(rows.isEmpty)
    }
  }
}
