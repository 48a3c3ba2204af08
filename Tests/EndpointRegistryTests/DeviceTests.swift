import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Devices")
struct DeviceTests {
  @Test("are listed by stack or all, page by page, in the order of their ids")
  func list() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let one = try await temporary.stack("one").stack.id
    let two = try await temporary.stack("two").stack.id
    var ids: [DeviceID] = []
    for number in 0..<7 {
      ids.append(try await temporary.register(number < 5 ? one : two).device.id)
    }
    #expect(try await store.devices(stack: nil, after: nil, limit: 100).map(\.id) == ids.sorted())
    let ofOne = ids.prefix(5).sorted()
    var seen: [DeviceID] = []
    while case let page = try await store.devices(stack: one, after: seen.last, limit: 2), !page.isEmpty {
      #expect(page.count <= 2)
      seen += page.map(\.id)
    }
    #expect(seen == ofOne)
    #expect(try await store.devices(stack: .minted(.system), after: nil, limit: 10) == [])
    #expect(try await store.devices(stack: one, after: nil, limit: -1) == [])
    #expect(try await store.device(.minted(.system)) == nil)
  }

  @Test("a device is found by its endpoint, whole and exact")
  func find() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("path?up=1")).device
    let store = temporary.store
    #expect(try await store.devices(holding: "https://push.example/path?up=1") == [device])
    for url in [
      "https://push.example/path", "https://push.example/path?up=1#", "https://PUSH.example/path?up=1", "",
    ] {
      #expect(try await store.devices(holding: url) == [])
    }
    _ = try await store.updateDevice(
      device.id, DeviceChange(subscription: .set(.at("stand-in")), temporary: true), at: 0)
    #expect(try await store.devices(holding: "https://push.example/stand-in").map(\.id) == [device.id])
    #expect(try await store.devices(holding: "https://push.example/path?up=1").map(\.id) == [device.id])
  }

  @Test("a device that is removed is gone at once, and its token and its code say so")
  func remove() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let registration = Registration(
      pairing: try await temporary.code(for: stack), client: .minted(.system), subscription: try .at("one"))
    let registered = try await store.register(registration, at: TemporaryStore.now)
    let id = registered.device.id
    try await store.removeDevice(id, at: 5)
    #expect(try await store.device(id) == nil)
    #expect(try await store.devices(holding: "https://push.example/one") == [])
    #expect(try await store.credential(for: registered.token, at: 0) == .revoked(id, stack))
    await #expect(throws: RegistryError.pairingUsed) {
      try await store.register(registration, at: TemporaryStore.now)
    }
    await #expect(throws: RegistryError.gone) { try await store.removeDevice(id, at: 6) }
    await #expect(throws: RegistryError.gone) { try await store.updateDevice(id, DeviceChange(), at: 6) }
    let never = DeviceID.minted(.system)
    await #expect(throws: RegistryError.notFound) { try await store.removeDevice(never, at: 6) }
    await #expect(throws: RegistryError.notFound) {
      try await store.updateDevice(never, DeviceChange(), at: 6)
    }
    #expect(try await store.wakeTarget(id)?.device == nil)
    // The same phone may come back with a new code, as a new device.
    let again = try await temporary.register(stack, client: registration.client)
    #expect(again.created && again.device.id != id)
  }

  @Test("label and mutes change alone; null removes them; what is not named stays")
  func labelAndMutes() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let before = try await temporary.register(
      stack, subscription: .at("one"), label: "phone", muted: [.member])
    let id = before.device.id
    let update = { (change: DeviceChange) in try await temporary.store.updateDevice(id, change, at: 1) }
    var result = try await update(DeviceChange())
    #expect(result.device == before.device && !result.subscriptionChanged)
    result = try await update(DeviceChange(label: .set("other")))
    #expect(result.device.label == "other" && result.device.muted == [.member])
    result = try await update(DeviceChange(label: .remove, muted: .set([.update, .problem, .update])))
    #expect(result.device.label == nil && result.device.muted == [.problem, .update])
    result = try await update(DeviceChange(muted: .remove))
    #expect(result.device.muted == [])
    #expect(result.device.endpointDigest == before.device.endpointDigest && !result.subscriptionChanged)
  }

  @Test("a subscription comes later, changes its keys, its endpoint, and goes")
  func subscription() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let id = try await temporary.register(stack).device.id
    let update = { (change: DeviceChange) in try await temporary.store.updateDevice(id, change, at: 1) }
    await #expect(throws: RegistryError.keysWithoutSubscription) {
      _ = try await update(DeviceChange(keys: .set(.fresh())))
    }
    await #expect(throws: RegistryError.endpointWithoutKeys) {
      _ = try await update(DeviceChange(endpoint: .set(PushSubscription.at("one").endpoint)))
    }
    let one = try PushSubscription.at("one")
    var result = try await update(DeviceChange(subscription: .set(one)))
    #expect(result.subscriptionChanged && result.device.state(at: 0) == .unconfirmed)
    result = try await update(DeviceChange(subscription: .set(one)))
    #expect(!result.subscriptionChanged)
    result = try await update(DeviceChange(keys: .set(one.keys)))
    #expect(!result.subscriptionChanged)
    let keys = try UserAgentKeys.fresh()
    result = try await update(DeviceChange(keys: .set(keys)))
    #expect(result.subscriptionChanged)
    #expect(
      try await temporary.target(stack).subscription == PushSubscription(endpoint: one.endpoint, keys: keys))
    let two = try PushSubscription.at("two").endpoint
    result = try await update(DeviceChange(endpoint: .set(two)))
    #expect(result.subscriptionChanged)
    #expect(try await temporary.target(stack).subscription == PushSubscription(endpoint: two, keys: keys))
    result = try await update(DeviceChange(subscription: .remove))
    #expect(!result.subscriptionChanged && result.device.state(at: 0) == .noPush)
    #expect(try temporary.count("subscriptions") == 0)
    result = try await update(DeviceChange(subscription: .remove))
    #expect(!result.subscriptionChanged)
  }

  @Test("a stand-in is used in place of the primary until a primary comes")
  func standIn() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let primary = try PushSubscription.at("primary")
    let id = try await temporary.register(stack, subscription: primary).device.id
    let update = { (change: DeviceChange) in try await temporary.store.updateDevice(id, change, at: 1) }
    let used = { try await temporary.target(stack).subscription }
    let standIn = try PushSubscription.at("stand-in", origin: "https://fallback.example")

    var result = try await update(DeviceChange(subscription: .set(standIn), temporary: true))
    #expect(result.subscriptionChanged && result.device.temporary)
    #expect(result.device.pushServer == "https://fallback.example")
    #expect(try await used() == standIn)
    #expect(try temporary.count("subscriptions") == 2)

    // Keys alone go to the one that `temporary` names; the one that is not in use wakes nobody.
    let primaryKeys = try UserAgentKeys.fresh()
    result = try await update(DeviceChange(keys: .set(primaryKeys)))
    #expect(!result.subscriptionChanged)
    #expect(try await used() == standIn)
    let standInKeys = try UserAgentKeys.fresh()
    result = try await update(DeviceChange(keys: .set(standInKeys), temporary: true))
    #expect(result.subscriptionChanged)
    #expect(try await used().keys == standInKeys)

    // Null takes the one that `temporary` names.
    result = try await update(DeviceChange(subscription: .remove, temporary: true))
    #expect(result.subscriptionChanged && !result.device.temporary)
    #expect(try await used() == PushSubscription(endpoint: primary.endpoint, keys: primaryKeys))

    _ = try await update(DeviceChange(subscription: .set(standIn), temporary: true))
    result = try await update(DeviceChange(subscription: .remove))
    #expect(!result.subscriptionChanged && result.device.temporary)
    #expect(try await used() == standIn)

    // A primary drops the stand-in.
    result = try await update(DeviceChange(subscription: .set(primary)))
    #expect(result.subscriptionChanged && !result.device.temporary)
    #expect(try temporary.count("subscriptions") == 1)
    #expect(try await used() == primary)
  }

  @Test("one endpoint is never both primary and stand-in")
  func standInIsPrimary() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let one = try PushSubscription.at("one")
    let id = try await temporary.register(stack, subscription: one, temporary: true).device.id
    #expect(try await temporary.store.device(id)?.temporary == true)
    let update = { (change: DeviceChange) in try await temporary.store.updateDevice(id, change, at: 1) }
    // It becomes the primary: the same endpoint and keys, so that nobody is woken.
    var result = try await update(DeviceChange(subscription: .set(one)))
    #expect(!result.subscriptionChanged && !result.device.temporary)
    _ = try await update(DeviceChange(subscription: .set(.at("other")), temporary: true))
    result = try await update(DeviceChange(subscription: .set(one), temporary: true))
    #expect(result.subscriptionChanged && !result.device.temporary)
    #expect(try temporary.count("subscriptions") == 1)
  }

  @Test("an endpoint that another device holds moves; that one keeps its token and its other subscription")
  func moving() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let shared = try PushSubscription.at("shared")
    let first = try await temporary.register(stack, subscription: shared)
    let second = try await temporary.register(stack)
    let result = try await store.updateDevice(
      second.device.id, DeviceChange(subscription: .set(shared)), at: 1)
    #expect(result.subscriptionChanged)
    #expect(try await store.device(first.device.id)?.state(at: 0) == .noPush)
    #expect(try await store.credential(for: first.token, at: 1) == .device(first.device.id, stack))
    #expect(try await store.devices(holding: shared.endpoint.url).map(\.id) == [second.device.id])
  }

  @Test("a subscription remembers the VAPID key that it was made with")
  func vapidKey() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let one = try PushSubscription.at("one")
    let id = try await temporary.register(stack.id, subscription: one).device.id
    let new = try temporary.addVAPIDKey(to: stack.id, isCurrent: true)
    #expect(try await temporary.store.stack(stack.id)?.vapidPublicKey == new)
    let used = { try await temporary.target(stack.id).vapidKey.publicKey }
    let update = { (change: DeviceChange) in try await temporary.store.updateDevice(id, change, at: 1) }
    #expect(try await used() == stack.vapidPublicKey)
    // The endpoint is known: a repeat that names no key keeps the one that it was made with.
    var result = try await update(DeviceChange(subscription: .set(one)))
    #expect(!result.subscriptionChanged)
    #expect(try await used() == stack.vapidPublicKey)
    result = try await update(DeviceChange(subscription: .set(one), vapidPublicKey: .set(new)))
    #expect(result.subscriptionChanged)
    #expect(try await used() == new)
    result = try await update(DeviceChange(vapidPublicKey: .set(stack.vapidPublicKey)))
    #expect(result.subscriptionChanged)
    #expect(try await used() == stack.vapidPublicKey)
    result = try await update(DeviceChange(vapidPublicKey: .remove))
    #expect(result.subscriptionChanged)
    #expect(try await used() == new)
    // A new endpoint was made with the current key, unless another is named.
    _ = try await update(
      DeviceChange(subscription: .set(.at("two")), vapidPublicKey: .set(stack.vapidPublicKey)))
    #expect(try await used() == stack.vapidPublicKey)
    _ = try await update(DeviceChange(subscription: .set(.at("three"))))
    #expect(try await used() == new)
  }

  @Test("a VAPID key that the stack does not hold is refused, and nothing of the change stays")
  func vapidKeyUnknown() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack("one").stack
    let other = try await temporary.stack("two").stack
    let device = try await temporary.register(stack.id, label: "phone").device
    let change = DeviceChange(
      label: .set("changed"), subscription: .set(try .at("one")), vapidPublicKey: .set(other.vapidPublicKey))
    await #expect(throws: RegistryError.vapidKeyUnknown) {
      try await store.updateDevice(device.id, change, at: 1)
    }
    #expect(try await store.device(device.id) == device)
    for subscription in [nil, try PushSubscription.at("two")] {
      await #expect(throws: RegistryError.vapidKeyUnknown) {
        try await temporary.register(
          stack.id, subscription: subscription, vapidPublicKey: other.vapidPublicKey)
      }
    }
    #expect(try temporary.count("devices") == 1)
  }

  @Test("a row whose keys cannot be read is mended by new ones")
  func mended() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let one = try PushSubscription.at("one")
    let id = try await temporary.register(stack, subscription: one).device.id
    try temporary.database().run("UPDATE subscriptions SET auth = x'00'")
    let result = try await temporary.store.updateDevice(id, DeviceChange(subscription: .set(one)), at: 1)
    #expect(result.subscriptionChanged)
    #expect(try await temporary.target(stack).subscription == one)
  }
}
