import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("What was decided for a device")
struct SettlingTests {
  private static let now = TemporaryStore.now
  private static let window: Int64 = 30_000

  private static func home() async throws -> (TemporaryStore, StackID, DeviceID) {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one"), muted: [.update]).device.id
    return (temporary, stack, device)
  }

  /// Settles the one device of a page.
  private static func settle(
    _ temporary: TemporaryStore, _ stack: StackID, _ decision: WakeDecision, at: Int64
  ) async throws -> AttemptID? {
    let page = try await temporary.page(stack, at: at)
    let entry = try #require(page.entries.first)
    let ids = try await temporary.store.settle(
      [(entry, decision)], of: stack, completing: page.newest, at: at)
    return try #require(ids.count == 1 ? ids : nil)[0]
  }

  @Test("the first alert goes at once, those within its window wait, and go together at its end")
  func window() async throws {
    let (temporary, stack, device) = try await Self.home()
    for (at, kind) in [(0, Kind.problem), (1, .backup), (2, .update), (Self.window - 1, .problem)] {
      try await temporary.raise(stack, kind, at: Self.now + at)
      try await temporary.fanOut(stack, at: Self.now + at)
    }
    #expect(
      try await temporary.rows(device) == ["unknown 1-1 ×1", "coalesced 2-4 ×2", "muted 3-3 ×1"])
    let waiting = try #require(
      try await temporary.page(stack, at: Self.now + Self.window - 1).entries.first)
    #expect(waiting.due?.numbers == "2-4 ×2" && waiting.newlyDue == nil && waiting.target == nil)
    #expect(waiting.windowEndsAt == Self.now + Self.window)
    #expect(try await temporary.store.stacksToNudge() == [stack])
    // Looked at once more within the window, it still waits, and there is no row for that.
    try await temporary.fanOut(stack, at: Self.now + Self.window - 1)
    #expect(try await temporary.rows(device).count == 3)

    try await temporary.fanOut(stack, at: Self.now + Self.window)
    #expect(try await temporary.rows(device).last == "unknown 2-4 ×2")
    #expect(try await temporary.store.stacksToNudge() == [])
    // A new window has begun with that wake.
    try await temporary.raise(stack, at: Self.now + Self.window + 1)
    try await temporary.fanOut(stack, at: Self.now + Self.window + 1)
    #expect(
      try await temporary.rows(device).suffix(2) == ["unknown 2-4 ×2", "coalesced 5-5 ×1"])
  }

  @Test("a stack's own window counts before the rules', also of none")
  func ownWindow() async throws {
    let (temporary, stack, device) = try await Self.home()
    _ = try await temporary.store.setWindow(5, of: stack)
    for at in [0, 4_999, 5_000] as [Int64] {
      try await temporary.raise(stack, at: Self.now + at)
      #expect(try await temporary.page(stack, at: Self.now + at).windowMilliseconds == 5_000)
      try await temporary.fanOut(stack, at: Self.now + at)
    }
    #expect(try await temporary.rows(device) == ["unknown 1-1 ×1", "coalesced 2-3 ×2", "unknown 2-3 ×2"])
    _ = try await temporary.store.setWindow(0, of: stack)
    for at in [5_000, 5_000] as [Int64] {
      try await temporary.raise(stack, at: Self.now + at)
      #expect(try await temporary.fanOut(stack, at: Self.now + at).count == 1)
    }
  }

  @Test("a window that begins in the future, after the clock went back, holds nobody up")
  func clock() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, at: Self.now + 1_000_000)
    try await temporary.fanOut(stack, at: Self.now + 1_000_000)
    try await temporary.raise(stack, at: Self.now)
    #expect(try await temporary.fanOut(stack, at: Self.now).keys.sorted() == [device])
    try await temporary.raise(stack, at: Self.now + 1)
    #expect(try await temporary.fanOut(stack, at: Self.now + 1).isEmpty)
  }

  @Test("one row per window and reason: held and coalesced beside each other, a new one in the next window")
  func rows() async throws {
    let (temporary, stack, device) = try await Self.home()
    let decisions: [(Int64, WakeDecision)] = [
      (0, .wait(.held)), (1, .wait(.held)), (Self.window - 1, .wait(.held)),
      (Self.window, .wait(.held)),  // more than a window after the row was begun
      (Self.window + 1, .send(receipt: TemporaryStore.receipt())),
      (Self.window + 2, .wait(.coalesced)), (Self.window + 3, .wait(.held)),
      (Self.window + 4, .wait(.coalesced)),
    ]
    for (at, decision) in decisions {
      try await temporary.raise(stack, at: Self.now + at)
      let attempt = try await Self.settle(temporary, stack, decision, at: Self.now + at)
      #expect((attempt != nil) == (at == Self.window + 1))
    }
    #expect(
      try await temporary.rows(device) == [
        "held 1-3 ×3", "held 4-4 ×1", "coalesced 5-5 ×1", "unknown 1-5 ×5", "coalesced 6-8 ×2",
        "held 7-7 ×1",
      ])
    let entry = try #require(
      try await temporary.page(stack, at: Self.now + 2 * Self.window + 1).entries.first)
    #expect(entry.due?.numbers == "6-8 ×3")
  }

  @Test("a row is extended only while it is among the device's newest")
  func lookedAt() async throws {
    let (temporary, stack, device) = try await Self.home()
    for tests in [15, 16] {
      try await temporary.raise(stack, at: Self.now)
      _ = try await Self.settle(temporary, stack, .wait(.held), at: Self.now)
      _ = try await temporary.store.beginAttempts(
        (0..<tests).map { _ in NewAttempt(stack: stack, device: device, purpose: .test) }, at: Self.now)
    }
    try await temporary.raise(stack, at: Self.now)
    _ = try await Self.settle(temporary, stack, .wait(.held), at: Self.now)
    let held = try await temporary.rows(device).filter { $0.hasPrefix("held") }
    #expect(held == ["held 1-2 ×2", "held 3-3 ×1"])
  }

  @Test(
    "what waits and is too old when its turn comes is stale with what is new and old, and nothing waits any more"
  )
  func staleRest() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, at: Self.now)
    _ = try await Self.settle(temporary, stack, .wait(.held), at: Self.now)
    try await temporary.raise(stack, at: Self.now + 1)
    // The rest's newest is just fresh.
    let fresh = try #require(try await temporary.page(stack, at: Self.now + Retention.day).entries.first)
    #expect(fresh.stale == nil && fresh.due?.numbers == "1-2 ×2" && fresh.newlyDue?.numbers == "2-2 ×1")
    let later = Self.now + Retention.day + 2
    let stale = try #require(try await temporary.page(stack, at: later).entries.first)
    #expect(stale.stale?.numbers == "1-2 ×2" && stale.due == nil && stale.target == nil)
    #expect(try await Self.settle(temporary, stack, .pass, at: later) == nil)
    #expect(try await temporary.rows(device) == ["held 1-1 ×1", "stale 1-2 ×2"])
    #expect(try await temporary.store.stacksToNudge() == [])
    #expect(try await temporary.page(stack, at: later).entries.isEmpty)
  }

  @Test("a stale rest leaves what is new and fresh due, alone")
  func staleAndDue() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, at: Self.now)
    _ = try await Self.settle(temporary, stack, .wait(.held), at: Self.now)
    let later = Self.now + Retention.day + 1
    try await temporary.raise(stack, at: later)
    let entry = try #require(try await temporary.page(stack, at: later).entries.first)
    #expect(entry.stale?.numbers == "1-1 ×1" && entry.due?.numbers == "2-2 ×1")
    _ = try await Self.settle(temporary, stack, .wait(.held), at: later)
    #expect(try await temporary.rows(device) == ["held 1-1 ×1", "stale 1-1 ×1", "held 2-2 ×1"])
    let rest = try #require(try await temporary.page(stack, at: later).entries.first)
    #expect(rest.due?.numbers == "2-2 ×1" && rest.stale == nil)
  }

  @Test("a page that was read twice is settled once: the second gets no attempt and writes no row")
  func twice() async throws {
    let (temporary, stack, device) = try await Self.home()
    let another = try temporary.another()
    try await temporary.raise(stack, at: Self.now)
    let first = try await temporary.page(stack, at: Self.now)
    let second = try await temporary.page(stack, at: Self.now, store: another)
    let wake = WakeDecision.send(receipt: TemporaryStore.receipt())
    let sent = try await temporary.store.settle(
      first.entries.map { ($0, wake) }, of: stack, completing: first.newest, at: Self.now)
    #expect(sent.compactMap { $0 }.count == 1)
    for decision in [wake, .wait(.coalesced), .pass] {
      let skipped = try await another.settle(
        second.entries.map { ($0, decision) }, of: stack, completing: nil, at: Self.now)
      #expect(skipped == [nil])
    }
    #expect(try await temporary.rows(device) == ["unknown 1-1 ×1"])
    #expect(try await temporary.page(stack, at: Self.now).entries.isEmpty)
  }

  @Test("who was removed, or got another subscription, since the page was read gets no wake from it")
  func changedMeanwhile() async throws {
    let (temporary, stack, device) = try await Self.home()
    let removed = try await temporary.register(stack, subscription: .at("two")).device.id
    let unsubscribed = try await temporary.register(stack, subscription: .at("three")).device.id
    let waiting = try await temporary.register(stack, subscription: .at("four")).device.id
    for at in [Self.now, Self.now + 1] {
      try await temporary.raise(stack, at: at)
      try await temporary.fanOut(stack, at: at)
    }
    let before = try await temporary.rows(device).count
    let page = try await temporary.page(stack, at: Self.now + Self.window)
    #expect(page.entries.count == 4)
    try await temporary.store.removeDevice(removed, at: Self.now)
    _ = try await temporary.store.updateDevice(
      unsubscribed, DeviceChange(subscription: .remove), at: Self.now)
    _ = try await temporary.store.updateDevice(
      device, DeviceChange(subscription: .set(.at("new"))), at: Self.now)
    let attempts = try await temporary.store.settle(
      page.entries.map { ($0, .send(receipt: TemporaryStore.receipt())) }, of: stack,
      completing: page.newest, at: Self.now + Self.window)
    let sent = zip(page.entries, attempts).filter { $1 != nil }.map(\.0.device)
    #expect(sent == [waiting])
    #expect(try await temporary.rows(device).count == before)
  }

  @Test("a fan-out completes what its first page looked at; what was raised meanwhile is still to be told")
  func completing() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, at: Self.now)
    let page = try await temporary.page(stack, at: Self.now)
    let second = try await temporary.raise(stack, at: Self.now)
    _ = try await temporary.store.settle(
      page.entries.map { ($0, .wait(.held)) }, of: stack, completing: nil, at: Self.now)
    _ = try await temporary.store.settle([], of: stack, completing: page.newest, at: Self.now)
    #expect(try temporary.database().integer("SELECT settled FROM stacks") == 1)
    let entry = try #require(try await temporary.page(stack, at: Self.now).entries.first)
    #expect(entry.device == device && entry.newlyDue?.first.number == second)
    // An older fan-out that ends later takes nothing back, and none completes what was never raised.
    try await temporary.fanOut(stack, at: Self.now)
    _ = try await temporary.store.settle([], of: stack, completing: page.newest, at: Self.now)
    let beyond = AlertID(epoch: page.newest.epoch, number: 99)
    _ = try await temporary.store.settle([], of: stack, completing: beyond, at: Self.now)
    #expect(try temporary.database().integer("SELECT settled FROM stacks") == 2)
    #expect(try await temporary.store.settle([], of: stack, completing: nil, at: Self.now) == [])
  }

  @Test("what was not settled when the service ended is due at the next start, and what went out is not")
  func reopening() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, at: Self.now)
    _ = try await temporary.page(stack, at: Self.now)
    await temporary.store.close()
    let second = try temporary.another()
    #expect(try await second.stacksToNudge() == [stack])
    let page = try await temporary.page(stack, at: Self.now + 1, store: second)
    let ids = try await second.settle(
      page.entries.map { ($0, .send(receipt: TemporaryStore.receipt())) }, of: stack, completing: nil,
      at: Self.now + 1)
    #expect(page.entries.map(\.device) == [device] && ids.compactMap { $0 }.count == 1)
    await second.close()
    let third = try temporary.another()
    #expect(try await third.stacksToNudge() == [stack])
    #expect(try await temporary.page(stack, at: Self.now + 2, store: third).entries.isEmpty)
    await third.close()
  }
}
