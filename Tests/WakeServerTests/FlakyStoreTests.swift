import CryptoPrimitives
import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Synchronization
import Testing
import WakeServer
import WebPushCrypto

@Suite("Where the store fails now and then")
struct FlakyStoreTests {
  /// More than one page of a look, and a few that are to get an activation wake.
  private static let devices = 264
  private static let newcomers = 8
  private static let alerts = 3
  /// After a failure the next try comes so much later.
  private static let retry: Int64 = 5_000

  private static let failing: [Set<FlakyStore.Call>] =
    FlakyStore.Call.allCases.map { [$0] } + [Set(FlakyStore.Call.allCases)]

  @Test(
    "no wake goes out without its row on disk, nobody is told twice, and everybody is told in the end",
    arguments: failing)
  func exactlyOnce(calls: Set<FlakyStore.Call>) async throws {
    let clock = TestClock()
    let kept = Mutex<FlakyStore?>(nil)
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, window: 30, delivers: false,
      waking: { store in
        let flaky = FlakyStore(store, failing: calls)
        kept.withLock { $0 = flaky }
        return flaky
      }
    ) { service in
      let flaky = try #require(kept.withLock { $0 })
      let companion = try Companion()
      try await Self.register(companion, on: service)
      for alert in 1...Self.alerts {
        #expect(try await service.hook(["kind": "problem"]).status == 202)
        if alert == 1 { service.deliver() }
        try await service.eventually {
          if clock.sleepers > 0 { clock.pass(Self.retry) }
          return try await service.store.stacksToNudge().isEmpty
            && flaky.receipts.count >= 2 * Self.devices
        }
      }
      let passing = Task {
        while !Task.isCancelled {
          if clock.sleepers > 0 { clock.pass(Self.retry) }
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
      await service.settle()
      passing.cancel()
      // Two of three tries fail, and nobody gives up.
      #expect(try await Self.unknown(service) == 0)
      #expect(flaky.failed == calls)

      let messages = service.pushServer.messages
      let sent = try messages.map { message in
        try StrictJSON.parse(companion.decrypt(message.body))["w"]?.string ?? ""
      }
      #expect(sent.sorted() == flaky.receipts.sorted())
      try await Self.expectTold(service, messages.map(\.target))
    }
  }

  @Test("an endpoint that is gone is asked no more, however long it takes until it can be erased")
  func goneEndpoint() async throws {
    let clock = TestClock()
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, waking: { FlakyStore($0, failing: [.completeAttempts]) }
    ) { service in
      let phone = try await service.phone("/dies")
      _ = try await service.phone("/lives")
      try await service.eventually {
        if clock.sleepers > 0 { clock.pass(Self.retry) }
        return service.pushServer.messages.count == 2 && clock.sleepers == 0
      }
      service.pushServer.answer("/dies", with: 410)
      let asked = { (target: String) in service.pushServer.messages.count { $0.target == target } }
      for alert in 1...4 {
        #expect(try await service.hook(["kind": "problem"]).json["devices"] == 2)
        // What came of the others cannot be kept either, and holds them up as little.
        try await service.eventually { asked("/lives") == 1 + alert && asked("/dies") >= 2 }
      }
      // A test wake waits for no other, and is not sent either.
      async let tested = service.send(
        "POST", "/v1/admin/devices/\(phone.device)/test", json: [:], door: .admin)
      try await service.eventually {
        try await service.store.attempts(AttemptFilter(), before: nil, limit: 1).first?.purpose == .test
      }
      try await service.eventually {
        if clock.sleepers > 0 { clock.pass(Self.retry) }
        return try await service.state(of: phone)["state"] == "gone"
      }
      let told = try await tested
      #expect(told.json["outcome"] == "gone" && told.json["status"] == .null, "\(told.json)")
      #expect(asked("/dies") == 2)
    }
  }

  /// Wakes of which nobody could write down what came of them.
  private static func unknown(_ service: TestService) async throws -> Int {
    try await service.store.attempts(AttemptFilter(outcome: .unknown), before: nil, limit: 10_000).count
  }

  /// Each device was told of every alert, of none twice, by as many messages as it has rows.
  private static func expectTold(
    _ service: TestService, _ targets: [String]
  ) async throws {
    let rows = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10_000)
      .filter { $0.outcome != .coalesced }.reversed()
    #expect(rows.count == targets.count)
    #expect(rows.count { $0.purpose == .activation } == devices)
    let told = Dictionary(grouping: rows.filter { $0.purpose == .alert }, by: \.device)
    #expect(told.count == devices)
    for wakes in told.values {
      var last: Int64 = 0
      for wake in wakes {
        #expect(wake.alertFirst?.number == last + 1)
        last = wake.alertLast?.number ?? 0
      }
      #expect(last == Int64(alerts))
    }
    let perTarget = targets.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    #expect(perTarget.count == devices)
  }

  /// Devices of one companion: some through the service, the others straight into the store.
  private static func register(_ companion: Companion, on service: TestService) async throws {
    let keys = try UserAgentKeys(
      p256dh: #require(companion.keys["p256dh"]?.string), auth: #require(companion.keys["auth"]?.string))
    for number in 0..<devices {
      let endpoint = "\(service.pushServer.origin)/up/\(number)"
      let client = ClientID.minted(.system)
      if number < newcomers {
        let body: JSONValue = [
          "client": .string(client.text), "endpoint": .string(endpoint), "keys": companion.keys,
        ]
        #expect(try await service.register(body).status == 201)
      } else {
        let code = try #require(Token(try await service.pairingCode()))
        _ = try await service.store.register(
          Registration(
            pairing: code, client: client,
            subscription: PushSubscription(
              endpoint: Endpoint(validatedURL: endpoint, origin: service.pushServer.origin), keys: keys)),
          at: WallClock.system.now())
      }
    }
  }
}
