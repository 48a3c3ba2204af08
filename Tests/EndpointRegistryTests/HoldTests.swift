import CryptoPrimitives
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Pauses that push servers asked for")
struct HoldTests {
  private static let now = TemporaryStore.now
  private static let origin = "https://push.example"

  /// A device, and how to refuse its wakes.
  private struct Home {
    let temporary: TemporaryStore
    let stack: StackID
    let device: DeviceID
    var store: SQLiteStore { temporary.store }

    init() async throws {
      temporary = try TemporaryStore()
      stack = try await temporary.stack().stack.id
      device = try await temporary.register(stack, subscription: .at("one")).device.id
    }

    /// The wake to the device is answered, and `hold` follows.
    func wake(
      _ outcome: AttemptOutcome, purpose: AttemptPurpose = .test, at: Int64 = now, hold: HoldChange?
    ) async throws {
      let ids = try await store.beginAttempts(
        [NewAttempt(stack: stack, device: device, pushServer: origin, purpose: purpose)], at: at)
      try await store.completeAttempts(
        ids.map { AttemptResult(id: $0, outcome: outcome, milliseconds: 1, hold: hold) }, at: at)
    }

    func refuse(until: Int64, refusals: Int = 0, originUntil: Int64? = nil, at: Int64 = now) async throws {
      let digest = try await temporary.target(stack, device: device).endpointDigest
      try await wake(
        .throttled, at: at,
        hold: .began(endpointDigest: digest, until: until, refusals: refusals, originUntil: originUntil))
    }

    func state(at: Int64) async throws -> DeviceState? { try await store.device(device)?.state(at: at) }
  }

  @Test("the device is held until the end, then undelivered, and the next wake that is taken ends it")
  func state() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000, refusals: 3)
    #expect(try await home.state(at: Self.now) == .held)
    #expect(try await home.state(at: Self.now + 59_999) == .held)
    #expect(try await home.state(at: Self.now + 60_000) == .undelivered)
    let target = try await home.temporary.target(home.stack)
    #expect(target.hold == WakeHold(endpointUntil: Self.now + 60_000, refusals: 3))
    try await home.wake(
      .accepted, at: Self.now + 60_000,
      hold: .lifted(endpointDigest: target.endpointDigest, until: Self.now + 60_000))
    #expect(try await home.state(at: Self.now + 60_000) == .unconfirmed)
    #expect(try await home.temporary.target(home.stack).hold == WakeHold())
    #expect(try home.temporary.count("endpoint_holds") == 0)
  }

  @Test("it is still there after a restart")
  func restart() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000, originUntil: Self.now + 90_000)
    await home.store.close()
    let again = try home.temporary.another()
    #expect(try await again.device(home.device)?.state(at: Self.now + 89_999) == .held)
    let hold = try await again.wakeTarget(home.device)?.hold
    #expect(hold == WakeHold(endpointUntil: Self.now + 60_000, originUntil: Self.now + 90_000))
    await again.close()
  }

  @Test("a longer pause stays, a void one does not")
  func longest() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000, originUntil: Self.now + 60_000)
    try await home.refuse(until: Self.now + 10_000, originUntil: Self.now + 10_000)
    var hold = try await home.temporary.target(home.stack).hold
    #expect(hold.endpointUntil == Self.now + 60_000 && hold.originUntil == Self.now + 60_000)
    let past = Self.now - 2 * Retention.day
    try await home.refuse(until: past + 10_000, originUntil: past + 10_000, at: past)
    hold = try await home.temporary.target(home.stack).hold
    #expect(hold.endpointUntil == past + 10_000 && hold.originUntil == past + 10_000)
  }

  @Test("an origin's pause holds every device there, on every stack, and none elsewhere")
  func origin() async throws {
    let home = try await Home()
    let there = try await home.temporary.register(home.stack, subscription: .at("two")).device.id
    let elsewhere = try await home.temporary.register(
      home.stack, subscription: .at("three", origin: "https://other.example")
    ).device.id
    let other = try await home.temporary.stack("other").stack.id
    let foreign = try await home.temporary.register(other, subscription: .at("four")).device.id
    try await home.refuse(until: Self.now + 10_000, originUntil: Self.now + 60_000)
    for device in [home.device, there, foreign] {
      #expect(try await home.store.device(device)?.state(at: Self.now + 30_000) == .held)
    }
    #expect(try await home.store.device(elsewhere)?.state(at: Self.now) == .unconfirmed)

    let delivery = try await home.store.delivery(of: home.stack, at: Self.now + 30_000)
    #expect(delivery.devices == [.held: 2, .unconfirmed: 1])
    #expect(delivery.pushServers.map(\.heldUntil) == [nil, Self.now + 60_000])
    let after = try await home.store.delivery(of: home.stack, at: Self.now + 60_000)
    #expect(after.devices == [.undelivered: 1, .unconfirmed: 2])
    #expect(after.pushServers.allSatisfy { $0.heldUntil == nil })
  }

  @Test(
    "a push server counts as held while none of the stack's devices there may be woken, until the first may")
  func partly() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000)
    func heldUntil() async throws -> Int64? {
      try await home.store.delivery(of: home.stack, at: Self.now).pushServers.first?.heldUntil
    }
    #expect(try await heldUntil() == Self.now + 60_000)
    let second = try await home.temporary.register(home.stack, subscription: .at("two")).device.id
    #expect(try await heldUntil() == nil)
    let digest = try #require(try await home.store.wakeTarget(second)).endpointDigest
    try await home.wake(
      .throttled,
      hold: .began(endpointDigest: digest, until: Self.now + 40_000, refusals: 0, originUntil: nil))
    #expect(try await heldUntil() == Self.now + 40_000)
  }

  @Test("a new endpoint is not held, and the old one is again when it comes back")
  func newEndpoint() async throws {
    let home = try await Home()
    let old = try PushSubscription.at("one")
    try await home.refuse(until: Self.now + 60_000)
    _ = try await home.store.updateDevice(home.device, DeviceChange(subscription: .set(.at("two"))), at: 1)
    #expect(try await home.state(at: Self.now) == .unconfirmed)
    _ = try await home.store.updateDevice(home.device, DeviceChange(subscription: .set(old)), at: 2)
    #expect(try await home.state(at: Self.now) == .held)
  }

  @Test("who stands behind a stand-in that is held is not")
  func standIn() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000)
    _ = try await home.store.updateDevice(
      home.device, DeviceChange(subscription: .set(.at("stand-in")), temporary: true), at: 1)
    #expect(try await home.state(at: Self.now) == .unconfirmed)
    let delivery = try await home.store.delivery(of: home.stack, at: Self.now)
    #expect(delivery.devices == [.unconfirmed: 1] && delivery.pushServers.first?.heldUntil == nil)
  }

  @Test("an endpoint that is erased takes its pause along")
  func erased() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now + 60_000)
    let target = try await home.temporary.target(home.stack)
    try await home.store.erase(target, at: Self.now)
    #expect(try home.temporary.count("endpoint_holds") == 0)
    #expect(try await home.state(at: Self.now) == .gone)
  }

  @Test("pauses are swept when one as long would be over again, not before")
  func swept() async throws {
    let home = try await Home()
    try await home.refuse(until: Self.now, originUntil: Self.now)
    func sweep(at: Int64) async throws -> Int {
      try await home.store.sweep(Retention(), from: SweepPosition(), at: at).removed[.holds] ?? 0
    }
    #expect(try await sweep(at: Self.now + WakeHold.milliseconds) == 0)
    #expect(try await sweep(at: Self.now + WakeHold.milliseconds + 1) == 2)
    #expect(try home.temporary.count("endpoint_holds") == 0)
    #expect(try home.temporary.count("origin_holds") == 0)
  }
}

@Suite("Wakes that a pause keeps from going out")
struct HeldWakeTests {
  private static let now = TemporaryStore.now

  /// A stack with one device, for which one alert was raised and a wake begun.
  private static func begun() async throws -> (TemporaryStore, StackID, DeviceID, AttemptID) {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    try await temporary.raise(stack, at: now)
    let attempt = try #require(try await temporary.fanOut(stack, at: now)[device])
    return (temporary, stack, device, attempt)
  }

  private static func hold(_ store: SQLiteStore, _ attempt: AttemptID) async throws {
    try await store.completeAttempts(
      [AttemptResult(id: attempt, outcome: .held, milliseconds: 0)], at: now)
  }

  @Test("what was begun and held is due again, with what came meanwhile, and no window is in the way")
  func putBack() async throws {
    let (temporary, stack, device, attempt) = try await Self.begun()
    try await temporary.raise(stack, at: Self.now + 1)
    try await temporary.fanOut(stack, at: Self.now + 1)  // waits behind the window
    try await Self.hold(temporary.store, attempt)
    let entry = try #require(try await temporary.page(stack, at: Self.now + 2).entries.first)
    #expect(entry.due?.numbers == "1-2 ×2" && entry.newlyDue == nil && entry.isReady)
    #expect(try await temporary.store.stacksToNudge() == [stack])
    try await temporary.fanOut(stack, at: Self.now + 3)
    #expect(
      try await temporary.rows(device) == ["held 1-1 ×1", "coalesced 2-2 ×1", "unknown 1-2 ×2"])
    let row = try await temporary.store.attempts(AttemptFilter(outcome: .held), before: nil, limit: 1).first
    #expect(row?.milliseconds == 0 && row?.receiptAt == nil)
  }

  @Test("a receipt that was never sent answers nothing")
  func receipt() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    try await temporary.raise(stack, at: Self.now)
    let receipt = TemporaryStore.receipt()
    let attempt = try #require(try await temporary.fanOut(stack, at: Self.now, receipt: receipt)[device])
    try await Self.hold(temporary.store, attempt)
    try await temporary.store.receive(receipt, from: device, at: Self.now)
    #expect(try await temporary.store.device(device)?.lastReceiptAt == nil)
  }

  @Test("a device whose subscription is another one by now is not told twice")
  func changed() async throws {
    let (temporary, stack, device, attempt) = try await Self.begun()
    _ = try await temporary.store.updateDevice(
      device, DeviceChange(subscription: .set(.at("two"))), at: Self.now)
    try await Self.hold(temporary.store, attempt)
    #expect(try await temporary.page(stack, at: Self.now + 1).entries.isEmpty)
  }

  @Test("an activation wake that was held is owed again")
  func activation() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    let row = NewAttempt(stack: stack, device: device, purpose: .activation)
    let attempt = try #require(try await temporary.store.beginActivation(row, at: Self.now))
    #expect(try await temporary.store.activationsOwed(limit: 9).isEmpty)
    try await Self.hold(temporary.store, attempt)
    #expect(try await temporary.store.activationsOwed(limit: 9).map(\.device) == [device])
    #expect(try await temporary.store.beginActivation(row, at: Self.now) != nil)
  }

  @Test("a refusal ends the window that its wake began, and a later wake's window stays")
  func window() async throws {
    let (temporary, stack, _, attempt) = try await Self.begun()
    try await temporary.raise(stack, at: Self.now + 1)
    let waits = try await temporary.page(stack, at: Self.now + 1).entries.first
    #expect(waits?.windowEndsAt == Self.now + 30_000)
    let refused = AttemptResult(id: attempt, outcome: .throttled, status: 429, milliseconds: 1)
    try await temporary.store.completeAttempts([refused], at: Self.now + 1)
    let ready = try await temporary.page(stack, at: Self.now + 1).entries.first
    #expect(ready?.windowEndsAt == nil && ready?.due?.numbers == "2-2 ×1")
    // The wake that follows begins a window of its own.
    try await temporary.fanOut(stack, at: Self.now + 2)
    try await temporary.store.completeAttempts([refused], at: Self.now + 3)
    try await temporary.raise(stack, at: Self.now + 4)
    let again = try await temporary.page(stack, at: Self.now + 4).entries.first
    #expect(again?.windowEndsAt == Self.now + 2 + 30_000)
  }

  @Test("who waits for a pause and has nothing new costs no write")
  func nothingNew() async throws {
    let (temporary, stack, device, attempt) = try await Self.begun()
    let digest = try await temporary.target(stack).endpointDigest
    try await temporary.store.completeAttempts(
      [
        AttemptResult(
          id: attempt, outcome: .throttled, milliseconds: 1,
          hold: .began(
            endpointDigest: digest, until: Self.now + 60_000, refusals: 1, originUntil: nil))
      ], at: Self.now)
    try await temporary.raise(stack, at: Self.now + 1)
    for _ in 0..<3 {
      let page = try await temporary.page(stack, at: Self.now + 2)
      let entry = try #require(page.entries.first)
      #expect(!entry.isReady && entry.heldUntil == Self.now + 60_000 && entry.target == nil)
      _ = try await temporary.store.settle(
        [(entry, .wait(.held))], of: stack, completing: page.newest, at: Self.now + 2)
    }
    #expect(try await temporary.rows(device) == ["throttled 1-1 ×1", "held 2-2 ×1"])
    let page = try await temporary.page(stack, at: Self.now + 60_000)
    #expect(page.entries.first?.isReady == true && page.entries.first?.due?.numbers == "2-2 ×1")
  }
}
