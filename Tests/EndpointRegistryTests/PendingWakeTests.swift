import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("What a device is to be told of")
struct PendingWakeTests {
  private static let now = TemporaryStore.now

  /// A stack with one device that has a subscription.
  private static func home(
    muted: [Kind] = [], kinds: [Kind] = Kind.allCases
  ) async throws -> (TemporaryStore, StackID, DeviceID) {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack(kinds: kinds).stack.id
    let device = try await temporary.register(stack, subscription: .at("one"), muted: muted).device.id
    return (temporary, stack, device)
  }

  @Test(
    "an alert is due to each device with a subscription, with what its wake needs, and to nobody once settled"
  )
  func due() async throws {
    let (temporary, stack, device) = try await Self.home(kinds: [.problem, .backup])
    let other = try await temporary.register(stack, subscription: .at("two")).device.id
    _ = try await temporary.register(stack)
    let alert = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: Self.now).id
    let page = try await temporary.page(stack, at: Self.now)
    #expect(page.entries.map(\.device) == [device, other].sorted())
    #expect(page.newest == alert && page.windowMilliseconds == 30_000 && page.kinds == [.problem])
    for entry in page.entries {
      #expect(entry.due == AlertSpan(first: alert, last: alert, count: 1) && entry.newlyDue == entry.due)
      #expect(entry.muted == nil && entry.stale == nil && entry.windowEndsAt == nil && !entry.isFaulty)
      #expect(entry.target?.device == entry.device && entry.pushServer == "https://push.example")
      #expect(entry.target?.catalogueVersion == CatalogueVersion([.problem, .backup]).text)
    }
    let sent = try await temporary.fanOut(stack, at: Self.now)
    #expect(Set(sent.keys) == [device, other])
    #expect(try await temporary.page(stack, at: Self.now).entries.isEmpty)
    #expect(try await temporary.store.stacksToNudge() == [])
    #expect(try await temporary.rows(device) == ["unknown 1-1 ×1"])
  }

  @Test("what a device mutes, and what is too old, is told apart from what is due, each with its own numbers")
  func division() async throws {
    let (temporary, stack, device) = try await Self.home(muted: [.update])
    let old = Self.now - Retention.day - 1
    for (kind, at) in [
      (Kind.problem, old), (.update, old), (.problem, Self.now - Retention.day), (.backup, Self.now),
      (.update, Self.now), (.problem, old), (.backup, Self.now),
    ] as [(Kind, Int64)] {
      try await temporary.raise(stack, kind, at: at)
    }
    try await temporary.raise(stack, wakes: false, at: Self.now)
    let page = try await temporary.page(stack, at: Self.now)
    let entry = try #require(page.entries.first)
    #expect(entry.muted?.numbers == "2-5 ×2")
    #expect(entry.stale?.numbers == "1-6 ×2")
    #expect(entry.due?.numbers == "3-7 ×3" && entry.newlyDue?.numbers == "3-7 ×3")
    #expect(page.newest.number == 8 && page.kinds == [.problem, .update, .backup])
    try await temporary.fanOut(stack, at: Self.now)
    #expect(try await temporary.rows(device) == ["muted 2-5 ×2", "stale 1-6 ×2", "unknown 3-7 ×3"])
    #expect(try await temporary.store.stacksToNudge() == [])
  }

  @Test("nothing that wakes nobody puts a device on a page, and the next alert that wakes does not count it")
  func quiet() async throws {
    let (temporary, stack, _) = try await Self.home()
    try await temporary.raise(stack, wakes: false, at: Self.now)
    #expect(try await temporary.page(stack, at: Self.now).entries.isEmpty)
    #expect(try await temporary.store.stacksToNudge() == [])
    try await temporary.raise(stack, at: Self.now)
    let entry = try #require(try await temporary.page(stack, at: Self.now).entries.first)
    #expect(entry.due?.numbers == "2-2 ×1")
  }

  @Test(
    "what was raised while there was no subscription, or another one, wakes nobody: the activation wake tells it"
  )
  func subscriptions() async throws {
    let (temporary, stack, device) = try await Self.home()
    let late = try await temporary.register(stack).device.id
    try await temporary.fanOut(stack, at: Self.now)
    try await temporary.raise(stack, at: Self.now)
    try await temporary.fanOut(stack, at: Self.now)
    try await temporary.raise(stack, at: Self.now + 1)
    try await temporary.fanOut(stack, at: Self.now + 1)
    #expect(try await temporary.store.stacksToNudge() == [stack])
    // One waits for its window's end, and one more alert is new to it.
    try await temporary.raise(stack, at: Self.now + 2)
    _ = try await temporary.store.updateDevice(
      device, DeviceChange(subscription: .set(.at("other"))), at: Self.now)
    _ = try await temporary.store.updateDevice(
      late, DeviceChange(subscription: .set(.at("late"))), at: Self.now)
    let new = try await temporary.register(stack, subscription: .at("new")).device.id
    #expect(try await temporary.page(stack, at: Self.now + 3).entries.isEmpty)
    // The window stays: a subscription is no way round it.
    try await temporary.raise(stack, at: Self.now + 4)
    let sent = try await temporary.fanOut(stack, at: Self.now + 4)
    #expect(Set(sent.keys) == [late, new])
    #expect(try await temporary.rows(device) == ["unknown 1-1 ×1", "coalesced 2-4 ×2"])
    #expect(try await temporary.rows(late) == ["unknown 4-4 ×1"])
  }

  @Test("a device that loses its subscription is on no page, and its stack is not looked at for its sake")
  func lost() async throws {
    let (temporary, stack, device) = try await Self.home()
    for at in [Self.now, Self.now + 1] {
      try await temporary.raise(stack, at: at)
      try await temporary.fanOut(stack, at: at)
    }
    #expect(try await temporary.store.stacksToNudge() == [stack])
    _ = try await temporary.store.updateDevice(device, DeviceChange(subscription: .remove), at: Self.now)
    #expect(try await temporary.store.stacksToNudge() == [])
    #expect(try await temporary.page(stack, at: Self.now + 2).entries.isEmpty)
  }

  @Test("where a stand-in dies, what waits is told at the primary")
  func fallback() async throws {
    let (temporary, stack, device) = try await Self.home()
    _ = try await temporary.store.updateDevice(
      device,
      DeviceChange(subscription: .set(.at("standin", origin: "https://other.example")), temporary: true),
      at: Self.now)
    for at in [Self.now, Self.now + 1] {
      try await temporary.raise(stack, at: at)
      try await temporary.fanOut(stack, at: at)
    }
    let target = try await temporary.target(stack)
    try await temporary.store.erase(target, at: Self.now + 2)
    let entry = try #require(try await temporary.page(stack, at: Self.now + 30_000).entries.first)
    #expect(entry.due?.numbers == "2-2 ×1" && entry.pushServer == "https://push.example")
    #expect(entry.target?.subscription.endpoint.url == "https://push.example/one")
  }

  @Test("a change of mutes counts for what is looked at afterwards")
  func mutes() async throws {
    let (temporary, stack, device) = try await Self.home()
    try await temporary.raise(stack, .backup, at: Self.now)
    _ = try await temporary.store.updateDevice(device, DeviceChange(muted: .set([.backup])), at: Self.now)
    let muted = try #require(try await temporary.page(stack, at: Self.now).entries.first)
    #expect(muted.muted?.numbers == "1-1 ×1" && muted.due == nil && muted.target == nil && !muted.isFaulty)
    _ = try await temporary.store.updateDevice(device, DeviceChange(muted: .remove), at: Self.now)
    let loud = try #require(try await temporary.page(stack, at: Self.now).entries.first)
    #expect(loud.muted == nil && loud.due?.numbers == "1-1 ×1")
  }

  @Test("a row that cannot be opened is faulty when its turn comes, is passed over, and harms nobody else")
  func faulty() async throws {
    let (temporary, stack, device) = try await Self.home()
    let other = try await temporary.register(stack, subscription: .at("two")).device.id
    try temporary.database().run(
      "UPDATE subscriptions SET auth = x'12' WHERE device = (SELECT serial FROM devices WHERE id = ?)",
      .text(device.text))
    try await temporary.raise(stack, at: Self.now)
    let page = try await temporary.page(stack, at: Self.now)
    #expect(page.entries.filter(\.isFaulty).map(\.device) == [device])
    #expect(page.entries.compactMap(\.target?.device) == [other])
    #expect(try await temporary.fanOut(stack, at: Self.now).keys.sorted() == [other])
    #expect(try await temporary.store.stacksToNudge() == [])
    #expect(try await temporary.rows(device) == [])
  }

  @Test("pages cover every device once, in the order of their ids, and the last one says so")
  func pages() async throws {
    let (temporary, stack, device) = try await Self.home()
    var ids = [device]
    for number in 0..<10 {
      ids.append(try await temporary.register(stack, subscription: .at("\(number)")).device.id)
    }
    try await temporary.raise(stack, at: Self.now)
    for (limit, sizes) in [(4, [4, 4, 3]), (11, [11, 0]), (100, [11])] {
      var seen: [DeviceID] = []
      var found: [Int] = []
      var after: DeviceID?
      repeat {
        let page = try await temporary.store.pendingWakes(
          of: stack, rules: TemporaryStore.rules, after: after, limit: limit, at: Self.now)
        seen += page.entries.map(\.device)
        found.append(page.entries.count)
        after = page.next
      } while after != nil
      #expect(seen == ids.sorted() && found == sizes, "\(limit)")
    }
  }

  @Test("a stack that is not there is not found, and another stack's devices are on no page")
  func otherStacks() async throws {
    let (temporary, stack, _) = try await Self.home()
    let other = try await temporary.stack("other").stack.id
    try await temporary.raise(other, at: Self.now)
    #expect(try await temporary.page(other, at: Self.now).entries.isEmpty)
    #expect(try await temporary.page(stack, at: Self.now).entries.isEmpty)
    #expect(try await temporary.store.stacksToNudge() == [other])
    await #expect(throws: RegistryError.notFound) {
      try await temporary.page(.minted(.system), at: Self.now)
    }
    await #expect(throws: RegistryError.notFound) {
      try await temporary.store.settle([], of: .minted(.system), completing: AlertID("aaaaaaaa-1"), at: 0)
    }
  }

  @Test(
    "devices that wait are found by an index of their own once a fan-out has been through; no page is sorted")
  func plan() async throws {
    let temporary = try TemporaryStore()
    defer { withExtendedLifetime(temporary) {} }
    let database = try temporary.database()
    for (isSettled, index) in [(true, "devices_pending"), (false, "devices_by_stack")] {
      let sql = Session.pendingPage(isSettled: isSettled)
      let bound = isSettled ? sql : sql.replacing("?4", with: "9")
      let plan = try database.all(
        "EXPLAIN QUERY PLAN " + bound, .integer(1), .text("a"), .integer(9)
      ) { $0.text(3) }
      #expect(plan.contains { $0.contains("\(index) (stack=? AND id>?)") }, "\(plan)")
      #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }
}
