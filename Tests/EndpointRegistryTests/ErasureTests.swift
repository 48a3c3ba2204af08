import CryptoPrimitives
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("An endpoint that died")
struct ErasureTests {
  private static func erase(
    _ target: WakeTarget, _ store: SQLiteStore, status: Int = 410, at: Int64 = 77
  ) async throws -> [DeviceID] {
    try await store.erase(
      endpointDigest: target.endpointDigest, unchangedSince: target.generation, status: status,
      pushServer: target.subscription.endpoint.origin, at: at)
  }

  @Test("is erased from every stack; the device stays, gone, with its token, until a new one revives it")
  func everyStack() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let one = try await temporary.stack("one").stack.id
    let two = try await temporary.stack("two").stack.id
    let shared = try PushSubscription.at("shared")
    let first = try await temporary.register(one, subscription: shared)
    let second = try await temporary.register(two, subscription: shared)
    let bystander = try await temporary.register(one, subscription: .at("bystander")).device
    let erased = try await Self.erase(
      try await temporary.target(one, device: first.device.id), store, status: 404)
    #expect(erased.sorted() == [first.device.id, second.device.id].sorted())
    #expect(try temporary.count("subscriptions") == 1)
    #expect(try await store.device(bystander.id) == bystander)
    for device in [first.device.id, second.device.id] {
      let gone = try #require(try await store.device(device))
      #expect(gone.state(at: 0) == .gone)
      #expect(gone.gone == Gone(at: 77, pushServer: "https://push.example", status: 404))
      #expect(gone.pushServer == nil && gone.endpointDigest == nil)
    }
    #expect(try await store.credential(for: first.token, at: 0) == .device(first.device.id, one))
    // A change of something else leaves it gone.
    #expect(
      try await store.updateDevice(first.device.id, DeviceChange(label: .set("x")), at: 0).device.state(at: 0)
        == .gone)
    let revived = try await store.updateDevice(
      first.device.id, DeviceChange(subscription: .set(.at("new"))), at: 0)
    #expect(revived.subscriptionChanged && revived.device.state(at: 0) == .unconfirmed)
    #expect(revived.device.gone == nil)
    #expect(try await store.device(second.device.id)?.state(at: 0) == .gone)
  }

  @Test("is erased once, however many say so at the same time")
  func once() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    let target = try await temporary.target(stack)
    let another = try temporary.another()
    let erased = try await withThrowingTaskGroup(of: [DeviceID].self) { group in
      for number in 0..<20 {
        group.addTask {
          try await Self.erase(
            target, number.isMultiple(of: 2) ? temporary.store : another, at: Int64(number))
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(erased == [device])
  }

  @Test("is left alone where the registration changed after the wake was made")
  func changed() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack
    let subscription = try PushSubscription.at("one")
    let id = try await temporary.register(stack.id, subscription: subscription).device.id
    let newVAPIDKey = try temporary.addVAPIDKey(to: stack.id, isCurrent: false)

    // The same endpoint with new keys, another VAPID key, or removed and given again.
    let changes: [[DeviceChange]] = [
      [DeviceChange(keys: .set(try .fresh()))], [DeviceChange(vapidPublicKey: .set(newVAPIDKey))],
      [DeviceChange(subscription: .remove), DeviceChange(subscription: .set(subscription))],
    ]
    for steps in changes {
      let late = try await temporary.target(stack.id)
      for step in steps { _ = try await store.updateDevice(id, step, at: 0) }
      #expect(try await Self.erase(late, store) == [])
      #expect(try await store.device(id)?.state(at: 0) == .unconfirmed)
    }
    // What did not change falls.
    let late = try await temporary.target(stack.id)
    _ = try await store.updateDevice(id, DeviceChange(label: .set("phone"), muted: .remove), at: 0)
    #expect(try await Self.erase(late, store) == [id])
  }

  @Test("on one stack changed meanwhile, on the other not: the other falls alone")
  func oneOfTwo() async throws {
    let temporary = try TemporaryStore()
    let one = try await temporary.stack("one").stack.id
    let two = try await temporary.stack("two").stack.id
    let shared = try PushSubscription.at("shared")
    let first = try await temporary.register(one, subscription: shared).device.id
    let second = try await temporary.register(two, subscription: shared).device.id
    let late = try await temporary.target(one)
    _ = try await temporary.store.updateDevice(first, DeviceChange(keys: .set(.fresh())), at: 0)
    #expect(try await Self.erase(late, temporary.store) == [second])
    #expect(try await temporary.store.device(first)?.state(at: 0) == .unconfirmed)
  }

  @Test("a stand-in that dies leaves the primary, which is in use again; then the primary may die too")
  func standIn() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let primary = try PushSubscription.at("primary")
    let id = try await temporary.register(stack, subscription: primary).device.id
    _ = try await store.updateDevice(
      id, DeviceChange(subscription: .set(.at("stand-in")), temporary: true), at: 0)
    #expect(try await Self.erase(temporary.target(stack), store) == [id])
    let device = try #require(try await store.device(id))
    #expect(device.state(at: 0) == .unconfirmed && device.gone == nil && !device.temporary)
    #expect(try await temporary.target(stack).subscription == primary)
    #expect(try await Self.erase(temporary.target(stack), store) == [id])
    #expect(try await store.device(id)?.state(at: 0) == .gone)
  }
}
