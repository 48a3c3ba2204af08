import CryptoPrimitives
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("An endpoint that died")
struct ErasureTests {
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
    let erased = try await store.erase(
      temporary.target(one, device: first.device.id), status: 404, at: 77)
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

  @Test("falls in one transaction with what came of the wake that found it so")
  func oneTransaction() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    let target = try await temporary.target(stack)
    let attempt = NewAttempt(stack: stack, device: device, purpose: .test)
    let id = try #require(try await store.beginAttempts([attempt], at: 1).first)
    let erasure = Erasure(
      endpointDigest: target.endpointDigest, generation: target.generation, status: 404,
      pushServer: "https://push.example")
    let result = AttemptResult(id: id, outcome: .gone, status: 404, milliseconds: 1, erasure: erasure)
    let outcome = { try await store.attempts(AttemptFilter(), before: nil, limit: 10).map(\.outcome) }

    try temporary.database().execute(
      "CREATE TRIGGER fails BEFORE DELETE ON subscriptions BEGIN SELECT RAISE(ABORT, 'no'); END")
    await #expect(throws: RegistryError.self) { try await store.completeAttempts([result], at: 2) }
    #expect(try await outcome() == [.unknown])
    try temporary.database().execute("DROP TRIGGER fails")
    let erased = try await store.completeAttempts([result], at: 2)
    #expect(erased == [ErasedEndpoint(device: device, pushServer: "https://push.example")])
    #expect(try await outcome() == [.gone])
    #expect(
      try await store.device(device)?.gone == Gone(at: 2, pushServer: "https://push.example", status: 404))
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
          try await (number.isMultiple(of: 2) ? temporary.store : another).erase(target, at: Int64(number))
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
      #expect(try await store.erase(late, at: 77) == [])
      #expect(try await store.device(id)?.state(at: 0) == .unconfirmed)
    }
    // What did not change falls.
    let late = try await temporary.target(stack.id)
    _ = try await store.updateDevice(id, DeviceChange(label: .set("phone"), muted: .remove), at: 0)
    #expect(try await store.erase(late, at: 77) == [id])
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
    #expect(try await temporary.store.erase(late, at: 77) == [second])
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
    #expect(try await store.erase(temporary.target(stack), at: 77) == [id])
    let device = try #require(try await store.device(id))
    #expect(device.state(at: 0) == .unconfirmed && device.gone == nil && !device.temporary)
    #expect(try await temporary.target(stack).subscription == primary)
    #expect(try await store.erase(temporary.target(stack), at: 77) == [id])
    #expect(try await store.device(id)?.state(at: 0) == .gone)
  }
}
