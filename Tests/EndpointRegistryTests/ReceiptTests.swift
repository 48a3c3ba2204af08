import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Receipts")
struct ReceiptTests {
  private static let now = TemporaryStore.now
  private static let hour: Int64 = 3_600_000

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

    /// Begins a wake; with an outcome, completes it.
    func wake(
      _ outcome: AttemptOutcome? = .accepted, at: Int64 = now, to other: DeviceID? = nil,
      purpose: AttemptPurpose = .test
    ) async throws -> (id: AttemptID, receipt: String) {
      let receipt = TemporaryStore.receipt()
      let attempt = NewAttempt(
        stack: stack, device: other ?? device, receipt: receipt, pushServer: "https://push.example",
        purpose: purpose)
      let ids = try await store.beginAttempts([attempt], at: at)
      let id = try #require(ids.first)
      if let outcome { try await complete(id, outcome) }
      return (id, receipt)
    }

    func complete(_ id: AttemptID, _ outcome: AttemptOutcome) async throws {
      try await store.completeAttempts([AttemptResult(id: id, outcome: outcome, milliseconds: 1)], at: 0)
    }

    func state(at: Int64 = now) async throws -> DeviceState? { try await store.device(device)?.state(at: at) }
    func facts() async throws -> DeliveryFacts? { try await store.device(device)?.delivery }

    /// Attempts that were answered, and when.
    func answered() async throws -> [AttemptID: Int64] {
      let rows = try await store.attempts(AttemptFilter(), before: nil, limit: 1_000)
      return Dictionary(uniqueKeysWithValues: rows.compactMap { row in row.receiptAt.map { (row.id, $0) } })
    }
  }

  @Test("a receipt answers its wake and every earlier one to that device, and no later one")
  func answersEarlier() async throws {
    let home = try await Home()
    let wakes = [try await home.wake(), try await home.wake(.network), try await home.wake(nil)]
    let last = try await home.wake()
    let without = try await home.store.beginAttempts(
      [NewAttempt(stack: home.stack, device: home.device, purpose: .alert, outcome: .muted)], at: Self.now)
    #expect(try await home.facts()?.unanswered == 2)
    try await home.store.receive(wakes[2].receipt, from: home.device, at: 77)
    #expect(try await home.answered() == Dictionary(uniqueKeysWithValues: wakes.map { ($0.id, 77) }))
    #expect(try await home.state() == .confirmed)
    #expect(try await home.store.device(home.device)?.lastReceiptAt == 77)
    #expect(try await home.facts()?.unanswered == 1)
    // What was answered keeps its time.
    try await home.store.receive(last.receipt, from: home.device, at: 99)
    #expect(try await home.answered()[wakes[0].id] == 77)
    #expect(try await home.answered()[last.id] == 99)
    #expect(try await home.answered()[without[0]] == nil)
    #expect(try await home.facts()?.unanswered == 0)
    #expect(try await home.facts()?.unansweredSince == nil)
  }

  @Test(
    "one that is unknown, malformed, answered already or another device's changes nothing and is no error")
  func wrong() async throws {
    let home = try await Home()
    let other = try await home.temporary.register(home.stack, subscription: .at("two")).device.id
    let own = try await home.wake()
    let others = try await home.wake(to: other)
    for wrong in [
      TemporaryStore.receipt(), others.receipt, "", "x", own.receipt + "A", String(own.receipt.dropLast()),
      String(repeating: "é", count: 11), String(repeating: "A", count: 100_000),
      own.receipt.uppercased() + "!",
    ] {
      try await home.store.receive(wrong, from: home.device, at: 50)
    }
    #expect(try await home.answered() == [:])
    #expect(try await home.store.device(home.device)?.lastReceiptAt == nil)
    #expect(try await home.store.device(other)?.lastReceiptAt == nil)
    #expect(try await home.state() == .unconfirmed)

    try await home.store.receive(own.receipt, from: home.device, at: 60)
    try await home.store.receive(own.receipt, from: home.device, at: 70)
    #expect(try await home.answered() == [own.id: 60])
    #expect(try await home.store.device(home.device)?.lastReceiptAt == 60)
    try await home.store.receive(own.receipt, from: .minted(.system), at: 80)
  }

  @Test("a wrong one does not reach the writer: it is looked up while another process holds the store")
  func cheap() async throws {
    let home = try await Home()
    _ = try await home.wake()
    let patient = try home.temporary.another(options: StoreOptions(busyTimeoutMilliseconds: 50))
    let holder = try home.temporary.database()
    try holder.run("BEGIN IMMEDIATE")
    try await patient.receive(TemporaryStore.receipt(), from: home.device, at: 1)
    try holder.run("ROLLBACK")
    await patient.close()
  }

  @Test("one that comes before the push server's answer counts, and so it does where that never comes")
  func early() async throws {
    let home = try await Home()
    let wake = try await home.wake(nil)
    try await home.store.receive(wake.receipt, from: home.device, at: 5)
    #expect(try await home.state() == .confirmed)
    try await home.complete(wake.id, .accepted)
    #expect(try await home.state() == .confirmed)
    #expect(try await home.facts()?.unanswered == 0)
  }

  @Test(
    "what arrived has arrived, whatever the push server said of it, before the receipt or after it",
    arguments: [AttemptOutcome.network, .server, .rejected, .throttled, .unsubscribed], [true, false])
  func refuted(outcome: AttemptOutcome, isLate: Bool) async throws {
    let home = try await Home()
    let wake = try await home.wake(isLate ? nil : outcome)
    if !isLate { #expect(try await home.state() == .undelivered) }
    try await home.store.receive(wake.receipt, from: home.device, at: 5)
    if isLate { try await home.complete(wake.id, outcome) }
    #expect(try await home.state() == .confirmed)
    let row = try await home.store.attempts(AttemptFilter(), before: nil, limit: 1).first
    #expect(row?.outcome == outcome && row?.receiptAt == 5)
  }

  @Test("a receipt for an earlier wake does not refute a later one's failure")
  func laterFailure() async throws {
    let home = try await Home()
    let first = try await home.wake()
    let second = try await home.wake(.server)
    try await home.store.receive(first.receipt, from: home.device, at: 5)
    #expect(try await home.state() == .undelivered)
    try await home.store.receive(second.receipt, from: home.device, at: 6)
    #expect(try await home.state() == .confirmed)
    _ = try await home.wake(.network)
    #expect(try await home.state() == .undelivered)
  }

  @Test(
    "a receipt for a wake to the subscription before is a sign of life, and confirms nothing of the new one")
  func earlierSubscription() async throws {
    let home = try await Home()
    let before = try await home.wake()
    _ = try await home.store.updateDevice(
      home.device, DeviceChange(subscription: .set(.at("two"))), at: Self.now)
    let after = try await home.wake(nil)
    try await home.store.receive(before.receipt, from: home.device, at: 5)
    #expect(try await home.store.device(home.device)?.lastReceiptAt == 5)
    #expect(try await home.state() == .unconfirmed)
    // Nor does an answer that comes late count for the new one.
    try await home.complete(after.id, .accepted)
    #expect(try await home.facts()?.unanswered == 1)
    try await home.store.receive(after.receipt, from: home.device, at: 6)
    #expect(try await home.state() == .confirmed)
    #expect(try await home.facts()?.unanswered == 0)
  }

  @Test("a wake to the subscription before that is accepted late is nothing that the new one left unanswered")
  func lateAnswer() async throws {
    let home = try await Home()
    let before = try await home.wake(nil)
    _ = try await home.store.updateDevice(
      home.device, DeviceChange(subscription: .set(.at("two"))), at: Self.now)
    try await home.complete(before.id, .accepted)
    #expect(try await home.facts()?.unanswered == 0)
  }

  @Test(
    "three accepted wakes of any purpose without a receipt make a device silent once the first is a day old")
  func silence() async throws {
    let home = try await Home()
    let answered = try await home.wake()
    try await home.store.receive(answered.receipt, from: home.device, at: Self.now)
    let begun = Self.now + Self.hour
    var wakes: [(id: AttemptID, receipt: String)] = []
    for (index, purpose) in [AttemptPurpose.alert, .activation, .test].enumerated() {
      wakes.append(try await home.wake(at: begun + Int64(index), purpose: purpose))
      // A failure between them ends no row.
      if index == 0 { _ = try await home.wake(.server, at: begun) }
      let state = try await home.state(at: begun + Retention.day + 1)
      #expect(state == [.undelivered, .confirmed, .silent][index])
    }
    #expect(try await home.state(at: begun + Retention.day) == .confirmed)
    // The last attempt's failure comes first.
    let failed = try await home.wake(.throttled, at: begun)
    #expect(try await home.state(at: begun + 2 * Retention.day) == .undelivered)
    try await home.store.receive(failed.receipt, from: home.device, at: begun)
    #expect(try await home.state(at: begun + 2 * Retention.day) == .confirmed)
    #expect(try await home.facts()?.unanswered == 0)
    #expect(try await home.answered().count == 6)
  }

  @Test("a receipt for one of the earlier unanswered wakes leaves those after it")
  func recount() async throws {
    let home = try await Home()
    var wakes: [(id: AttemptID, receipt: String)] = []
    for number in 0..<6 as Range<Int64> { wakes.append(try await home.wake(at: Self.now + number)) }
    try await home.store.receive(wakes[1].receipt, from: home.device, at: Self.now + 10)
    #expect(try await home.facts()?.unanswered == 4)
    #expect(try await home.facts()?.unansweredSince == Self.now + 2)
    #expect(try await home.state(at: Self.now + Retention.day + 3) == .silent)
    try await home.store.receive(wakes[3].receipt, from: home.device, at: Self.now + 11)
    #expect(try await home.facts()?.unanswered == 2)
    #expect(try await home.state(at: Self.now + Retention.day + 3) == .confirmed)
  }

  @Test(
    "a companion that never sent a receipt stays unconfirmed, and a new subscription begins to count anew")
  func neverAnswered() async throws {
    let home = try await Home()
    for _ in 0..<5 { _ = try await home.wake(at: 0) }
    #expect(try await home.facts()?.unanswered == 5)
    #expect(try await home.state() == .unconfirmed)
    _ = try await home.store.updateDevice(
      home.device, DeviceChange(subscription: .set(.at("two"))), at: Self.now)
    #expect(try await home.facts()?.unanswered == 0)
  }

  @Test("a device that loses its stand-in to another one begins anew with its primary")
  func lostStandIn() async throws {
    let home = try await Home()
    let standIn = try PushSubscription.at("standin")
    _ = try await home.store.updateDevice(
      home.device, DeviceChange(subscription: .set(standIn), temporary: true), at: Self.now)
    let wake = try await home.wake()
    try await home.store.receive(wake.receipt, from: home.device, at: 5)
    _ = try await home.wake()
    #expect(try await home.state() == .confirmed)
    let other = try await home.temporary.register(home.stack).device.id
    _ = try await home.store.updateDevice(other, DeviceChange(subscription: .set(standIn)), at: Self.now)
    #expect(try await home.store.device(home.device)?.temporary == false)
    #expect(try await home.state() == .unconfirmed)
    #expect(try await home.facts()?.unanswered == 0)
  }

  @Test("the look-up of a receipt, and of what it answers as well, goes by an index")
  func plan() async throws {
    let temporary = try TemporaryStore()
    defer { withExtendedLifetime(temporary) {} }
    let plan = try temporary.database().all(
      """
      EXPLAIN QUERY PLAN SELECT id FROM attempts INDEXED BY attempts_unanswered
      WHERE device = 'a' AND receipt = x'00' AND receipt IS NOT NULL AND receipt_at IS NULL
      """
    ) { $0.text(3) }
    #expect(plan.contains { $0.contains("attempts_unanswered (device=? AND receipt=?)") })
  }
}
