import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("Receipts")
struct ReceiptTests {
  private static let hour: Int64 = 3_600_000

  private static func with(body: (TestService, TestClock) async throws -> Void) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      try await body(service, clock)
    }
  }

  /// Raises an alert and waits until the wakes for it have their answer.
  private static func wake(_ service: TestService, devices: Int = 1) async throws {
    let before = service.pushServer.messages.count
    #expect(try await service.hook(["kind": "problem"]).status == 202)
    _ = await service.pushServer.wait(for: before + devices)
    try await service.eventually {
      try await service.store.attempts(AttemptFilter(outcome: .unknown), before: nil, limit: 1).isEmpty
    }
  }

  enum Way: CaseIterable {
    case alone, withTheAlerts, withTheRegistration
  }

  @Test("one that comes back confirms the device and its wake, however it comes", arguments: Way.allCases)
  func confirms(way: Way) async throws {
    try await Self.with { service, clock in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      try await Self.wake(service)
      #expect(try await service.device(phone)["state"] == "unconfirmed")
      clock.pass(1_500)
      let receipt = try service.receipts(at: phone)[1]
      let field = [("wake-receipt", receipt)]
      switch way {
      case .alone:
        let reply = try await service.handBack(.string(receipt), from: phone)
        #expect(reply.status == 204 && reply.body.isEmpty)
      case .withTheAlerts:
        let reply = try await service.send(
          "GET", "\(service.path)/alerts", token: phone.token, headers: field)
        #expect(reply.status == 200)
      case .withTheRegistration:
        let reply = try await service.send("GET", service.path(of: phone), token: phone.token, headers: field)
        #expect(reply.json["state"] == "confirmed")
      }
      let device = try await service.device(phone)
      #expect(device["state"] == "confirmed")
      #expect(device["lastReceipt"]?.string == Presentation.time(clock.now))
      let attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
      #expect(attempts.map(\.purpose) == [.alert, .activation])
      // It answers the activation before it too.
      #expect(attempts.allSatisfy { $0.receiptAt == clock.now })
      #expect(attempts[0].receiptAt.map { $0 - attempts[0].at } == 1_500)
    }
  }

  @Test("an unknown one, another device's and an old one are taken without a word and change nothing")
  func changesNothing() async throws {
    try await Self.with { service, clock in
      let phone = try await service.phone("/up/one")
      let other = try await service.phone("/up/other")
      _ = await service.pushServer.wait(for: 2)
      try await Self.wake(service, devices: 2)
      let foreign = try service.receipts(at: other)[1]
      for receipt in [
        String(repeating: "A", count: 22), foreign, "", "ü", String(repeating: "w", count: 40_000),
      ] {
        #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
        let read = try await service.send(
          "GET", "\(service.path)/alerts", token: phone.token,
          headers: [("Wake-Receipt", receipt.utf8.count < 1_000 ? receipt : "x")])
        #expect(read.status == 200)
      }
      #expect(try await service.device(phone)["state"] == "unconfirmed")
      #expect(try await service.device(other)["state"] == "unconfirmed")

      let own = try service.receipts(at: phone)
      #expect(try await service.handBack(.string(own[1]), from: phone).status == 204)
      let before = try await service.device(phone)
      clock.pass(60_000)
      for receipt in own { #expect(try await service.handBack(.string(receipt), from: phone).status == 204) }
      #expect(try await service.device(phone) == before)
    }
  }

  @Test("what is no receipt at all is refused with the member that is at fault")
  func refusals() async throws {
    try await Self.with { service, _ in
      let phone = try await service.phone()
      let path = "\(service.path(of: phone))/receipts"
      let missing = try await service.send("POST", path, token: phone.token, json: [:])
      #expect(missing.status == 422 && missing.json["code"] == "missing-field")
      #expect(missing.json["field"] == "/w")
      for value: JSONValue in [1, true, ["w"], [:]] {
        let reply = try await service.handBack(value, from: phone)
        #expect(reply.status == 422 && reply.json["code"] == "invalid-field" && reply.json["field"] == "/w")
      }
    }
  }

  @Test("a companion that never hands one back goes on to be woken, and stays unconfirmed")
  func neverAnswers() async throws {
    try await Self.with { service, clock in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      for _ in 1...10 {
        try await Self.wake(service)
        clock.pass(24 * Self.hour)
      }
      #expect(try await service.device(phone)["state"] == "unconfirmed")
      #expect(service.pushServer.messages.count == 11)
    }
  }

  @Test("a test wake that the phone asks for is accepted, and its receipt confirms it")
  func testWake() async throws {
    try await Self.with { service, _ in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let reply = try await service.send(
        "POST", "\(service.path(of: phone))/test", token: phone.token, json: [:])
      #expect(reply.status == 202)
      _ = await service.pushServer.wait(for: 2)
      let receipt = try service.receipts(at: phone)[1]
      _ = try await service.handBack(.string(receipt), from: phone)
      let tests = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
        .filter { $0.purpose == .test }
      #expect(tests.count == 1 && tests[0].receiptAt != nil && tests[0].alertCount == 0)
    }
  }

  @Test("a phone without a subscription is told that there is nothing to test")
  func nothingToTest() async throws {
    try await Self.with { service, _ in
      let phone = try await service.phone()
      _ = try await service.patch(phone, ["endpoint": .null])
      let reply = try await service.send(
        "POST", "\(service.path(of: phone))/test", token: phone.token, json: [:])
      #expect(reply.status == 422 && reply.json["code"] == "invalid-field")
    }
  }

  /// How a phone of the fleet behaves, and what the operator has to see of it.
  enum Habit: CaseIterable {
    /// Answers each wake within minutes.
    case prompt
    /// Lies in a drawer for most of a day.
    case late
    /// Answers every other wake.
    case patchy
    /// Answered, until its distributor was put to sleep.
    case falls
    /// Its distributor never worked.
    case deaf

    /// Whether the phone answers a wake of that day, and how many hours later.
    func answer(day: Int) -> Int64? {
      switch self {
      case .prompt: 0
      case .late: 20
      case .patchy: day % 2 == 0 ? 1 : nil
      case .falls: day < 3 ? 0 : nil
      case .deaf: nil
      }
    }

    var seen: String {
      switch self {
      case .prompt, .late, .patchy: "confirmed"
      case .falls: "silent"
      case .deaf: "unconfirmed"
      }
    }
  }

  @Test(
    "of a fleet whose push server accepts everything, who went deaf is silent, who never answered is unconfirmed, and no other one is accused"
  )
  func fleet() async throws {
    try await Self.with { service, clock in
      var fleet: [(habit: Habit, phone: Phone)] = []
      for index in 0..<20 {
        let habit = Habit.allCases[index % Habit.allCases.count]
        fleet.append((habit, try await service.phone("/up/\(index)")))
      }
      _ = await service.pushServer.wait(for: fleet.count)
      for day in 0..<8 {
        try await Self.wake(service, devices: fleet.count)
        for passed in Int64(0)..<24 {
          for (habit, phone) in fleet where habit.answer(day: day) == passed {
            let receipt = try #require(try service.receipts(at: phone).last)
            #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
          }
          for (habit, phone) in fleet where habit != .falls && habit != .deaf && (day > 0 || passed > 20) {
            #expect(try await service.device(phone)["state"] == "confirmed", "\(habit) on day \(day)")
          }
          clock.pass(Self.hour)
        }
      }
      for (habit, phone) in fleet {
        #expect(try await service.device(phone)["state"]?.string == habit.seen, "\(habit)")
      }
      #expect(service.pushServer.messages.count == fleet.count * 9)

      let delivery = try await service.send("GET", "\(service.path)/delivery", token: service.hookToken.text)
      #expect(delivery.json["devices"]?["confirmed"] == 12)
      #expect(delivery.json["devices"]?["silent"] == 4 && delivery.json["devices"]?["unconfirmed"] == 4)

      // One that comes back is believed at once.
      let (_, back) = try #require(fleet.first { $0.habit == .falls })
      let receipt = try #require(try service.receipts(at: back).last)
      _ = try await service.handBack(.string(receipt), from: back)
      #expect(try await service.device(back)["state"] == "confirmed")
    }
  }
}
