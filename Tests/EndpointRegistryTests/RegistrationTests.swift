import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Registration")
struct RegistrationTests {
  @Test("a first registration makes a device, and its token is known")
  func first() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let subscription = try PushSubscription.at("one", origin: "https://push.example:8443")
    let result = try await temporary.register(
      stack.id, subscription: subscription, label: "Ada's phone", muted: [.member, .update])
    #expect(result.created)
    #expect(result.subscriptionChanged)
    #expect(result.cursor == stack.newest)
    let device = result.device
    #expect(device.stack == stack.id)
    #expect(device.stackLabel == "home")
    #expect(device.label == "Ada's phone")
    #expect(device.state(at: 0) == .unconfirmed)
    #expect(device.pushServer == "https://push.example:8443")
    #expect(!device.temporary)
    #expect(device.muted == [.update, .member])
    #expect(device.since == TemporaryStore.now)
    #expect(device.gone == nil)
    #expect(device.endpointDigest?.utf8.count == 8)
    #expect(try await temporary.store.device(device.id) == device)
    #expect(
      try await temporary.store.credential(for: result.token, at: 0) == .device(device.id, stack.id))
    let target = try await temporary.target(stack.id)
    #expect(target.subscription == subscription)
    #expect(target.vapidKey.publicKey == stack.vapidPublicKey)
  }

  @Test("the cursor is where the stream stands")
  func cursor() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let alert = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack.id, at: 0)
    #expect(try await temporary.register(stack.id).cursor == alert.id)
  }

  @Test("a phone without a distributor is a device without push")
  func noPush() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let result = try await temporary.register(stack.id)
    #expect(result.created)
    #expect(!result.subscriptionChanged)
    #expect(result.device.state(at: 0) == .noPush)
    #expect(result.device.pushServer == nil)
    #expect(result.device.endpointDigest == nil)
  }

  @Test("a code ends at its expiry to the millisecond, and an unknown one counts as expired")
  func expiry() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let code = try await temporary.store.addPairing(stack: stack.id, at: 1_000, expiresAt: 2_000)
    let registration = Registration(pairing: code, client: .minted(.system))
    await #expect(throws: RegistryError.pairingExpired) {
      try await temporary.store.register(registration, at: 2_000)
    }
    // It still says whose it is, so that the answer is "expired" and not "unknown".
    #expect(try await temporary.store.credential(for: code, at: 3_000) == .pairing(stack.id, .expired))
    #expect(try temporary.count("devices") == 0)
    #expect(try await temporary.store.register(registration, at: 1_999).created)
    let unknown = Registration(pairing: .minted(.pairing, random: .system), client: .minted(.system))
    await #expect(throws: RegistryError.pairingExpired) {
      try await temporary.store.register(unknown, at: 1_999)
    }
  }

  @Test("a code is for a stack that there is")
  func unknownStack() async throws {
    let temporary = try TemporaryStore()
    let nobody = try #require(StackID("nobody-here"))
    await #expect(throws: RegistryError.notFound) { try await temporary.code(for: nobody) }
  }

  @Test("a code registers one client: another one is refused, and changes nothing")
  func oneClient() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let code = try await temporary.code(for: stack.id)
    let first = Registration(pairing: code, client: .minted(.system), label: "first")
    let result = try await temporary.store.register(first, at: TemporaryStore.now)
    let photographed = Registration(pairing: code, client: .minted(.system), label: "second")
    await #expect(throws: RegistryError.pairingUsed) {
      try await temporary.store.register(photographed, at: TemporaryStore.now)
    }
    #expect(try await temporary.store.devices(stack: nil, after: nil, limit: 10) == [result.device])
  }

  @Test(
    "a lost answer: the same code and client give the same device, and the older token dies when the newer is used"
  )
  func lostAnswer() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack
    let subscription = try PushSubscription.at("one")
    let registration = Registration(
      pairing: try await temporary.code(for: stack.id), client: .minted(.system), subscription: subscription)
    let first = try await store.register(registration, at: TemporaryStore.now)
    let second = try await store.register(registration, at: TemporaryStore.now + 1)
    let third = try await store.register(registration, at: TemporaryStore.now + 2)
    #expect(!second.created && !third.created)
    #expect(!second.subscriptionChanged && !third.subscriptionChanged)
    #expect(first.device.id == second.device.id && first.device.id == third.device.id)
    #expect(try temporary.count("devices") == 1)
    let device = Credential.device(first.device.id, stack.id)

    #expect(try await store.credential(for: first.token, at: 0) == device)
    #expect(try await store.credential(for: second.token, at: 0) == device)
    #expect(try await store.credential(for: first.token, at: 0) == nil)
    #expect(try await store.credential(for: third.token, at: 0) == device)
    #expect(try await store.credential(for: second.token, at: 0) == nil)
    #expect(try await store.credential(for: third.token, at: 0) == device)
  }

  @Test("an endpoint that is held already is that device: its row is taken over, and its old token dies")
  func takeoverByEndpoint() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack
    let old = try PushSubscription.at("one")
    let first = try await temporary.register(stack.id, subscription: old, label: "phone", muted: [.member])
    var new = old
    new.keys = try .fresh()
    let second = try await temporary.register(stack.id, subscription: new)
    #expect(!second.created)
    #expect(second.subscriptionChanged)
    #expect(second.device.id == first.device.id)
    // What was not named stays.
    #expect(second.device.label == "phone")
    #expect(second.device.muted == [.member])
    #expect(try await store.credential(for: first.token, at: 0) == nil)
    #expect(try await store.credential(for: second.token, at: 0) == .device(first.device.id, stack.id))
    #expect(try temporary.count("devices") == 1)
    #expect(try temporary.count("subscriptions") == 1)
    #expect(try await temporary.target(stack.id).subscription == new)
  }

  @Test("a client that the stack knows is that device, with a new endpoint")
  func takeoverByClient() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack
    let client = ClientID.minted(.system)
    let first = try await temporary.register(stack.id, client: client, subscription: .at("one"))
    let new = try PushSubscription.at("two")
    let second = try await temporary.register(stack.id, client: client, subscription: new, label: "again")
    #expect(!second.created && second.subscriptionChanged)
    #expect(second.device.id == first.device.id)
    #expect(second.device.label == "again")
    #expect(try await store.credential(for: first.token, at: 0) == nil)
    #expect(try await store.devices(holding: "https://push.example/one") == [])
    #expect(try await store.devices(holding: new.endpoint.url).map(\.id) == [first.device.id])
  }

  @Test("a client and an endpoint that name two devices become one; the other's token says that it is gone")
  func takeoverOfBoth() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack
    let client = ClientID.minted(.system)
    let first = try await temporary.register(stack.id, client: client, subscription: .at("one"))
    let two = try PushSubscription.at("two")
    let second = try await temporary.register(stack.id, subscription: two)
    let merged = try await temporary.register(stack.id, client: client, subscription: two)
    #expect(merged.device.id == first.device.id)
    #expect(try temporary.count("devices") == 1)
    #expect(try await store.credential(for: second.token, at: 0) == .revoked(second.device.id, stack.id))
    #expect(try await store.credential(for: first.token, at: 0) == nil)
  }

  @Test("a code whose device another client took over does not give that client's device away")
  func takenOverCode() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let code = try await temporary.code(for: stack.id)
    let subscription = try PushSubscription.at("one")
    let client = ClientID.minted(.system)
    _ = try await temporary.store.register(
      Registration(pairing: code, client: client, subscription: subscription), at: TemporaryStore.now)
    let taken = try await temporary.register(stack.id, subscription: subscription)
    let repeated = try await temporary.store.register(
      Registration(pairing: code, client: client), at: TemporaryStore.now)
    #expect(repeated.created)
    #expect(repeated.device.id != taken.device.id)
    #expect(
      try await temporary.store.credential(for: taken.token, at: 0) == .device(taken.device.id, stack.id))
  }

  @Test("the same endpoint on two stacks is two devices")
  func twoStacks() async throws {
    let temporary = try TemporaryStore()
    let one = try await temporary.stack("one").stack
    let two = try await temporary.stack("two").stack
    let subscription = try PushSubscription.at("shared")
    let client = ClientID.minted(.system)
    let first = try await temporary.register(one.id, client: client, subscription: subscription)
    let second = try await temporary.register(two.id, client: client, subscription: subscription)
    #expect(first.created && second.created)
    #expect(first.device.id != second.device.id)
    #expect(first.device.endpointDigest == second.device.endpointDigest)
    let holders = try await temporary.store.devices(holding: subscription.endpoint.url).map(\.id)
    #expect(holders == [first.device.id, second.device.id].sorted())
  }

  @Test(
    "30 parallel registrations of one endpoint all succeed and give one row, with the keys of one whole request"
  )
  func parallel() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let endpoint = try PushSubscription.at("one").endpoint
    var registrations: [Registration] = []
    for number in 0..<30 {
      registrations.append(
        Registration(
          pairing: try await temporary.code(for: stack.id), client: .minted(.system),
          subscription: PushSubscription(endpoint: endpoint, keys: try .fresh()), label: "\(number)"))
    }
    let results = try await withThrowingTaskGroup(of: RegistrationResult.self) { group in
      for registration in registrations {
        group.addTask { try await temporary.store.register(registration, at: TemporaryStore.now) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 30)
    #expect(Set(results.map(\.device.id)).count == 1)
    #expect(results.filter(\.created).count == 1)
    #expect(try temporary.count("devices") == 1)
    #expect(try temporary.count("subscriptions") == 1)
    #expect(try temporary.count("device_tokens") == 1)
    let target = try await temporary.target(stack.id)
    let device = try #require(try await temporary.store.device(target.device))
    let winner = try #require(registrations.first { $0.label == device.label })
    #expect(target.subscription == winner.subscription)
  }

  @Test("30 parallel repeats of one request give one device")
  func parallelRepeats() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let registration = Registration(
      pairing: try await temporary.code(for: stack.id), client: .minted(.system), subscription: try .at("one")
    )
    let results = try await withThrowingTaskGroup(of: RegistrationResult.self) { group in
      for _ in 0..<30 {
        group.addTask { try await temporary.store.register(registration, at: TemporaryStore.now) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results.map(\.device.id)).count == 1)
    #expect(results.filter(\.created).count == 1)
    #expect(results.filter(\.subscriptionChanged).count == 1)
    #expect(try temporary.count("devices") == 1)
  }
}
