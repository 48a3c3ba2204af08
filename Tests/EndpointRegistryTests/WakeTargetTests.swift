import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("The devices of a fan-out")
struct WakeTargetTests {
  @Test("a target carries what a wake needs")
  func target() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack(kinds: [.problem, .backup]).stack
    let subscription = try PushSubscription.at("w/?token=aa%2fBB%3d%2b~c")
    let device = try await temporary.register(stack.id, subscription: subscription).device
    let target = try await temporary.target(stack.id)
    #expect(target.device == device.id)
    #expect(target.stack == stack.id)
    #expect(target.subscription == subscription)
    #expect(target.subscription.endpoint.url == "https://push.example/w/?token=aa%2fBB%3d%2b~c")
    #expect(target.vapidKey.publicKey == stack.vapidPublicKey)
    #expect(target.topicSecret.count == 32)
    #expect(target.endpointDigest.count == 16)
    #expect(target.topicSecret != target.endpointDigest)
    #expect(target.catalogueVersion == CatalogueVersion([.problem, .backup]).text)
    #expect(Hex.encode(Array(target.endpointDigest.prefix(4))) == device.endpointDigest)
  }

  @Test(
    "the topic's secret is the endpoint's: the same on every stack and after new keys, another for another endpoint"
  )
  func topic() async throws {
    let temporary = try TemporaryStore()
    let one = try await temporary.stack("one").stack.id
    let two = try await temporary.stack("two").stack.id
    var subscription = try PushSubscription.at("shared")
    let device = try await temporary.register(one, subscription: subscription).device.id
    let before = try await temporary.target(one)
    subscription.keys = try .fresh()
    _ = try await temporary.register(one, subscription: subscription)
    _ = try await temporary.register(two, subscription: subscription)
    for stack in [one, two] {
      let target = try await temporary.target(stack)
      #expect(target.topicSecret == before.topicSecret)
      #expect(target.endpointDigest == before.endpointDigest)
    }
    _ = try await temporary.store.updateDevice(device, DeviceChange(subscription: .set(.at("other"))), at: 0)
    #expect(try await temporary.target(one).topicSecret != before.topicSecret)
    // Another store has other keys.
    let elsewhere = try TemporaryStore()
    let stack = try await elsewhere.stack().stack.id
    _ = try await elsewhere.register(stack, subscription: subscription)
    #expect(try await elsewhere.target(stack).topicSecret != before.topicSecret)
    #expect(try await elsewhere.target(stack).endpointDigest != before.endpointDigest)
  }

  @Test("devices that mute the kind are told as muted, and those without a subscription are left out")
  func mutes() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.register(stack)
    let loud = try await temporary.register(stack, subscription: .at("loud")).device.id
    let quiet = try await temporary.register(stack, subscription: .at("quiet"), muted: [.backup]).device.id
    func entries(_ kind: Kind?) async throws -> [String] {
      try await temporary.store.wakeTargets(of: stack, kind: kind, device: nil, after: nil, limit: 10).map {
        switch $0 {
        case .ready(let target): "ready \(target.device)"
        case .muted(let device): "muted \(device)"
        case .faulty(let device): "faulty \(device)"
        }
      }
    }
    let all = [loud, quiet].sorted()
    #expect(try await entries(nil) == all.map { "ready \($0)" })
    #expect(try await entries(.problem) == all.map { "ready \($0)" })
    #expect(try await entries(.backup) == all.map { $0 == quiet ? "muted \($0)" : "ready \($0)" })
  }

  @Test("one device can be asked for, of this stack alone")
  func oneDevice() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let other = try await temporary.stack("other").stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    _ = try await temporary.register(stack, subscription: .at("two"))
    let store = temporary.store
    let entries = try await store.wakeTargets(of: stack, kind: nil, device: device, after: nil, limit: 10)
    #expect(entries.map(\.device) == [device])
    #expect(
      try await store.wakeTargets(of: other, kind: nil, device: device, after: nil, limit: 10).isEmpty)
  }

  @Test("one device can be asked for by its id alone; without a subscription, or unknown, it is nothing")
  func byID() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let subscription = try PushSubscription.at("one")
    let device = try await temporary.register(stack, subscription: subscription, muted: Kind.allCases).device
      .id
    let without = try await temporary.register(stack).device.id
    guard case .ready(let target)? = try await store.wakeTarget(device) else {
      Issue.record("it is not ready")
      return
    }
    #expect(target.device == device && target.stack == stack && target.subscription == subscription)
    for nothing in [without, .minted(.system)] {
      let found = try await store.wakeTarget(nothing)
      #expect(found?.device == nil)
    }
    try temporary.database().run("UPDATE subscriptions SET auth = x'12'")
    guard case .faulty(device)? = try await store.wakeTarget(device) else {
      Issue.record("it is not faulty")
      return
    }
  }

  @Test("pages cover every device once, in the order of their ids")
  func pages() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    var ids: [DeviceID] = []
    for number in 0..<11 {
      ids.append(try await temporary.register(stack, subscription: .at("\(number)")).device.id)
    }
    var seen: [DeviceID] = []
    var page: [WakeEntry]
    repeat {
      page = try await temporary.store.wakeTargets(
        of: stack, kind: nil, device: nil, after: seen.last, limit: 4)
      seen += page.map(\.device)
    } while page.count == 4
    #expect(seen == ids.sorted())
  }

  @Test("one row that cannot be opened is told as faulty, and the others are woken")
  func faulty() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    var ids: [DeviceID] = []
    for number in 0..<5 {
      ids.append(try await temporary.register(stack, subscription: .at("\(number)")).device.id)
    }
    let broken = ids[2]
    try temporary.database().run(
      "UPDATE subscriptions SET p256dh = x'1234' WHERE device = (SELECT serial FROM devices WHERE id = ?)",
      .text(broken.text))
    for _ in 0..<2 {
      let entries = try await temporary.store.wakeTargets(
        of: stack, kind: .problem, device: nil, after: nil, limit: 10)
      #expect(entries.map(\.device) == ids.sorted())
      for entry in entries {
        switch entry {
        case .ready(let target): #expect(target.device != broken)
        case .faulty(let device): #expect(device == broken)
        case .muted: Issue.record("nobody mutes anything")
        }
      }
    }
  }

  @Test("a row whose keys open but are no keys is faulty too")
  func noKeys() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    let sealed = try temporary.store.keys.seal(
      Array("abc".utf8), SealedSubscription.place(device, isTemporary: false, "p256dh"), random: .system)
    try temporary.database().run("UPDATE subscriptions SET p256dh = ?", .octets(sealed))
    let entries = try await temporary.store.wakeTargets(
      of: stack, kind: nil, device: nil, after: nil, limit: 10)
    guard case .faulty(device) = try #require(entries.first) else {
      Issue.record("it is not faulty")
      return
    }
  }

  @Test("the plan of a page uses the index of a stack's devices")
  func plan() async throws {
    let temporary = try TemporaryStore()
    let plan = try temporary.database().all(
      """
      EXPLAIN QUERY PLAN SELECT d.id FROM devices d JOIN subscriptions u ON u.device = d.serial
        AND u.is_temporary = (SELECT max(x.is_temporary) FROM subscriptions x WHERE x.device = d.serial)
      WHERE d.stack = 1 AND d.id > 'a' ORDER BY d.id LIMIT 256
      """
    ) { $0.text(3) }
    #expect(plan.contains { $0.contains("devices_by_stack (stack=? AND id>?)") })
    #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") })
  }
}
