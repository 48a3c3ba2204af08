import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("How a stack's wakes fare")
struct DeliveryTests {
  private static let now = TemporaryStore.now

  /// An attempt to `device`, completed with `outcome` unless that is nil.
  private static func attempt(
    _ temporary: TemporaryStore, _ stack: StackID, _ device: DeviceID, _ outcome: AttemptOutcome? = nil,
    at: Int64 = now, origin: String = "https://push.example", status: Int? = nil, reason: String? = nil
  ) async throws -> AttemptID {
    let attempt = NewAttempt(
      stack: stack, device: device, receipt: TemporaryStore.receipt(), pushServer: origin, purpose: .test)
    let ids = try await temporary.store.beginAttempts([attempt], at: at)
    let id = try #require(ids.first)
    if let outcome {
      try await temporary.store.completeAttempts(
        [AttemptResult(id: id, outcome: outcome, status: status, reason: reason, milliseconds: 1)], at: at)
    }
    return id
  }

  @Test("devices are counted by the state that each of them shows")
  func states() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let other = try await temporary.stack("other").stack.id
    _ = try await temporary.register(other, subscription: .at("else"))
    _ = try await temporary.register(stack)
    for (number, outcome) in [AttemptOutcome?.none, .accepted, .throttled, .network, .server].enumerated() {
      let device = try await temporary.register(stack, subscription: .at("\(number)")).device.id
      _ = try await Self.attempt(temporary, stack, device, outcome)
    }
    for wakes in [1, 3, 4] {
      let device = try await temporary.register(stack, subscription: .at("wakes-\(wakes)")).device.id
      let receipt = TemporaryStore.receipt()
      _ = try await store.beginAttempts(
        [NewAttempt(stack: stack, device: device, receipt: receipt, purpose: .test)], at: Self.now)
      try await store.receive(receipt, from: device, at: Self.now)
      for number in 0..<wakes {
        // The first of the four is younger than that of the three.
        _ = try await Self.attempt(
          temporary, stack, device, .accepted, at: Self.now + Int64(wakes) * 1_000 + Int64(number))
      }
    }
    let dead = try await temporary.register(stack, subscription: .at("dead")).device.id
    let target = try await temporary.target(stack, device: dead)
    try await store.erase(target, at: Self.now)

    for at in [Self.now, Self.now + Retention.day + 3_500, Self.now + Retention.day + 4_001] {
      let counted = try await store.delivery(of: stack, at: at).devices
      let shown = try await store.devices(stack: stack, after: nil, limit: 100).map { $0.state(at: at) }
      #expect(counted == Dictionary(shown.map { ($0, 1) }, uniquingKeysWith: +))
    }
    let late = try await store.delivery(of: stack, at: Self.now + Retention.day + 4_001).devices
    #expect(
      late == [.noPush: 1, .unconfirmed: 2, .undelivered: 3, .confirmed: 1, .silent: 2, .gone: 1])
    await #expect(throws: RegistryError.notFound) { try await store.delivery(of: .minted(.system), at: 0) }
  }

  @Test(
    "a push server shows its newest attempt's answer, when it last accepted one, and how many devices use it")
  func pushServers() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    _ = try await temporary.register(stack, subscription: .at("two"))
    func servers(at: Int64 = Self.now) async throws -> [PushServerDelivery] {
      try await store.delivery(of: stack, at: at).pushServers
    }
    #expect(try await servers() == [PushServerDelivery(origin: "https://push.example", devices: 2)])
    _ = try await Self.attempt(temporary, stack, device, .accepted, at: Self.now, status: 201)
    let slow = try await Self.attempt(temporary, stack, device, at: Self.now + 1)
    let accepted = try await Self.attempt(temporary, stack, device, at: Self.now + 2)
    _ = try await Self.attempt(
      temporary, stack, device, .refused, at: Self.now + 3, status: 403, reason: "the VAPID key is refused")
    var expected = PushServerDelivery(
      origin: "https://push.example", lastAt: Self.now + 3, lastOutcome: .refused, lastStatus: 403,
      reason: "the VAPID key is refused", lastAcceptedAt: Self.now, devices: 2)
    #expect(try await servers() == [expected])
    // Answers of earlier attempts that come later change but when a wake was accepted.
    try await store.completeAttempts(
      [
        AttemptResult(id: accepted, outcome: .accepted, milliseconds: 1),
        AttemptResult(id: slow, outcome: .network, reason: "timeout", milliseconds: 1),
      ], at: Self.now + 9)
    expected = PushServerDelivery(
      origin: "https://push.example", lastAt: Self.now + 3, lastOutcome: .refused, lastStatus: 403,
      reason: "the VAPID key is refused", lastAcceptedAt: Self.now + 2, devices: 2)
    #expect(try await servers() == [expected])
    // A wake that was left out is no answer, and another stack's answers are its own.
    _ = try await store.beginAttempts(
      [
        NewAttempt(
          stack: stack, device: device, pushServer: "https://push.example", purpose: .alert, outcome: .held)
      ],
      at: Self.now + 10)
    let other = try await temporary.stack("other").stack.id
    _ = try await Self.attempt(temporary, other, device, .accepted, at: Self.now + 11)
    #expect(try await servers() == [expected])
    // The newest answer takes the place of status and sentence too.
    _ = try await Self.attempt(temporary, stack, device, .accepted, at: Self.now + 12)
    let newest = try #require(try await servers().first)
    #expect(newest.lastOutcome == .accepted && newest.lastStatus == nil && newest.reason == nil)
    #expect(newest.lastAcceptedAt == Self.now + 12)
  }

  @Test("the subscription in use counts; what nobody uses is shown for 30 days, then forgotten by a sweep")
  func unused() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one", origin: "https://a.example"))
      .device.id
    for origin in ["https://a.example", "https://b.example", "https://c.example"] {
      _ = try await Self.attempt(temporary, stack, device, .accepted, origin: origin)
    }
    _ = try await store.updateDevice(
      device, DeviceChange(subscription: .set(.at("x", origin: "https://b.example")), temporary: true),
      at: Self.now)
    func counts(at: Int64) async throws -> [String] {
      try await store.delivery(of: stack, at: at).pushServers.map { "\($0.origin) \($0.devices)" }
    }
    let end = Self.now + 30 * Retention.day
    #expect(
      try await counts(at: end) == ["https://a.example 0", "https://b.example 1", "https://c.example 0"])
    #expect(try await counts(at: end + 1) == ["https://b.example 1"])
    func sweep(at: Int64) async throws -> Int? {
      try await store.sweep(Retention(), from: SweepPosition(), at: at).removed[.pushServers]
    }
    #expect(try await sweep(at: end) == nil)
    // A primary that stands behind a stand-in is used again when that goes.
    #expect(try await sweep(at: end + 1) == 1)
    #expect(try await sweep(at: end + 1) == nil)
    #expect(try temporary.count("push_servers") == 2)
    _ = try await store.updateDevice(
      device, DeviceChange(subscription: .remove, temporary: true), at: Self.now)
    #expect(try await counts(at: end + 1) == ["https://a.example 1"])
    try await store.removeStack(stack)
    #expect(try temporary.count("push_servers") == 0)
  }

  @Test("the push servers that are told are bounded, whatever a companion registers")
  func bound() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    try temporary.database().run(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
      INSERT INTO push_servers (stack, origin, last_attempt, last_at, last_outcome)
      SELECT 1, 'https://' || i || '.example', i, ?, 'network' FROM n
      """, .integer(Self.now))
    let told = try await temporary.store.delivery(of: stack, at: Self.now).pushServers
    #expect(told.count == StackDelivery.pushServersMaximum)
  }
}
