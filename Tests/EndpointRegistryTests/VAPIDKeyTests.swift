import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("A new VAPID key (RFC 8292 §4.2: a subscription is tied to the key that it was made with)")
struct VAPIDKeyTests {
  private struct Rotated {
    let temporary: TemporaryStore
    let stack: StackID
    let old: String
    let new: String
    let before: RegistrationResult

    init() async throws {
      temporary = try TemporaryStore()
      let added = try await temporary.stack().stack
      (stack, old) = (added.id, added.vapidPublicKey)
      before = try await temporary.register(stack, subscription: .at("before"))
      let keys = try await temporary.store.replaceVAPIDKey(of: stack, at: TemporaryStore.now)
      new = try #require(keys.first?.publicKey)
    }

    /// The key that wakes to a device are signed with.
    func signingKey(_ device: DeviceID) async throws -> String {
      try await temporary.target(stack, device: device).vapidKey.publicKey
    }

    func uses() async throws -> [String: Int] {
      let keys = try await temporary.store.vapidKeys(of: stack)
      return Dictionary(uniqueKeysWithValues: keys.map { ($0.publicKey, $0.devices) })
    }
  }

  @Test("the stack offers the new key, and who subscribed with the old one is sent with the old one")
  func rotation() async throws {
    let rotated = try await Rotated()
    #expect(rotated.new != rotated.old)
    #expect(try await rotated.temporary.store.stack(rotated.stack)?.vapidPublicKey == rotated.new)
    #expect(try await rotated.signingKey(rotated.before.device.id) == rotated.old)

    let after = try await rotated.temporary.register(rotated.stack, subscription: .at("after"))
    #expect(after.vapidPublicKey == rotated.new)
    #expect(try await rotated.signingKey(after.device.id) == rotated.new)
    let late = try await rotated.temporary.register(
      rotated.stack, subscription: .at("late"), vapidPublicKey: rotated.old)
    #expect(late.vapidPublicKey == rotated.new)
    #expect(try await rotated.signingKey(late.device.id) == rotated.old)

    let keys = try await rotated.temporary.store.vapidKeys(of: rotated.stack)
    #expect(keys.map(\.publicKey) == [rotated.new, rotated.old])
    #expect(keys.map(\.isCurrent) == [true, false])
    #expect(keys.map(\.devices) == [1, 2])
    #expect(keys.map(\.replacedAt) == [nil, TemporaryStore.now])
  }

  @Test("what leaves the subscription as it is keeps its key: a label, mutes, the same registration again")
  func kept() async throws {
    let rotated = try await Rotated()
    let device = rotated.before.device.id
    let store = rotated.temporary.store
    _ = try await store.updateDevice(
      device, DeviceChange(label: .set("phone"), muted: .set([.update])), at: TemporaryStore.now)
    #expect(try await rotated.signingKey(device) == rotated.old)
    let subscription = try await rotated.temporary.target(rotated.stack, device: device).subscription
    let again = try await rotated.temporary.register(rotated.stack, subscription: subscription)
    #expect(again.device.id == device)
    #expect(try await rotated.signingKey(device) == rotated.old)
  }

  @Test("a new subscription moves the device to the new key, and the old one is left by and by")
  func moving() async throws {
    let rotated = try await Rotated()
    let device = rotated.before.device.id
    #expect(try await rotated.uses() == [rotated.old: 1, rotated.new: 0])
    let update = try await rotated.temporary.store.updateDevice(
      device, DeviceChange(subscription: .set(.at("renewed")), vapidPublicKey: .set(rotated.new)),
      at: TemporaryStore.now)
    #expect(update.subscriptionChanged)
    #expect(try await rotated.signingKey(device) == rotated.new)
    #expect(try await rotated.uses() == [rotated.old: 0, rotated.new: 1])
    #expect(
      try await rotated.temporary.store.devices(onReplacedKeyOf: rotated.stack, after: nil, limit: 10) == [])
  }

  @Test("retiring cuts off those on the old key, whom it named before, and nobody else")
  func retiring() async throws {
    let rotated = try await Rotated()
    let store = rotated.temporary.store
    let after = try await rotated.temporary.register(rotated.stack, subscription: .at("after"))
    // Its stand-in hangs on the old key and its primary on the new one: the primary is in use again.
    let both = try await rotated.temporary.register(rotated.stack, subscription: .at("primary"))
    _ = try await store.updateDevice(
      both.device.id,
      DeviceChange(
        subscription: .set(.at("stand-in")), vapidPublicKey: .set(rotated.old), temporary: true),
      at: TemporaryStore.now)
    #expect(try await rotated.signingKey(both.device.id) == rotated.old)

    let named = try await store.devices(onReplacedKeyOf: rotated.stack, after: nil, limit: 10).map(\.id)
    #expect(named == [rotated.before.device.id, both.device.id].sorted())
    let first = try await store.devices(onReplacedKeyOf: rotated.stack, after: named[0], limit: 10)
    #expect(first.map(\.id) == [named[1]])
    #expect(try await store.retireReplacedVAPIDKeys(of: rotated.stack) == named)

    #expect(try await store.device(rotated.before.device.id)?.state(at: 0) == .noPush)
    #expect(try await store.credential(for: rotated.before.token, at: 0) != nil)
    #expect(try await rotated.signingKey(after.device.id) == rotated.new)
    #expect(try await rotated.signingKey(both.device.id) == rotated.new)
    #expect(try await rotated.uses() == [rotated.new: 3 - 1])
    await #expect(throws: RegistryError.vapidKeyUnknown) {
      try await rotated.temporary.register(
        rotated.stack, subscription: .at("too-late"), vapidPublicKey: rotated.old)
    }
    #expect(try await store.retireReplacedVAPIDKeys(of: rotated.stack) == [])
  }

  @Test("another stack's keys are its own")
  func otherStack() async throws {
    let rotated = try await Rotated()
    let other = try await rotated.temporary.stack("other").stack
    _ = try await rotated.temporary.register(other.id, subscription: .at("before"))
    _ = try await rotated.temporary.store.retireReplacedVAPIDKeys(of: rotated.stack)
    #expect(try await rotated.temporary.target(other.id).vapidKey.publicKey == other.vapidPublicKey)
    await #expect(throws: RegistryError.notFound) {
      try await rotated.temporary.store.replaceVAPIDKey(of: .minted(.system), at: 0)
    }
  }
}
