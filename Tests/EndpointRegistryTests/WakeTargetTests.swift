import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("What a wake to a device needs")
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

  @Test("a device is found by its id, whatever it mutes; without a subscription, or unknown, it is nothing")
  func nobody() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let subscription = try PushSubscription.at("one")
    let device = try await temporary.register(stack, subscription: subscription, muted: Kind.allCases).device
      .id
    _ = try await temporary.register(stack, subscription: .at("two"))
    let without = try await temporary.register(stack).device.id
    let target = try #require(try await store.wakeTarget(device))
    #expect(target.device == device && target.stack == stack && target.subscription == subscription)
    for nothing in [without, .minted(.system)] {
      let found = try await store.wakeTarget(nothing)
      #expect(found?.device == nil)
    }
  }

  @Test("a row that cannot be opened says so, and harms no other", arguments: ["endpoint", "p256dh", "auth"])
  func faulty(column: String) async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let broken = try await temporary.register(stack, subscription: .at("one")).device.id
    let whole = try await temporary.register(stack, subscription: .at("two")).device.id
    try temporary.database().run(
      "UPDATE subscriptions SET \(column) = x'1234' WHERE device = (SELECT serial FROM devices WHERE id = ?)",
      .text(broken.text))
    await #expect(throws: RegistryError.sealBroken("subscriptions/\(column)")) {
      try await store.wakeTarget(broken)
    }
    #expect(try await store.wakeTarget(whole)?.device == whole)
  }

  @Test("a row whose keys open but are no keys is faulty too")
  func noKeys() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    let sealed = try temporary.store.keys.seal(
      Array("abc".utf8), SealedSubscription.place(device, isTemporary: false, "p256dh"), random: .system)
    try temporary.database().run("UPDATE subscriptions SET p256dh = ?", .octets(sealed))
    await #expect(throws: RegistryError.sealBroken("subscriptions/p256dh")) {
      try await temporary.store.wakeTarget(device)
    }
  }
}
