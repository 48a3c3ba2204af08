import CryptoPrimitives
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Stacks")
struct StackTests {
  @Test("a window and quiet kinds are a stack's own, and are shown on it")
  func policy() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let other = try await temporary.stack("other").stack
    #expect(stack.windowSeconds == nil && stack.quiet == [])
    for (given, kept) in [(90, 90), (0, 0), (-5, 0), (.max, Stack.windowSecondsMaximum), (nil, nil)]
      as [(Int?, Int?)]
    {
      #expect(try await temporary.store.setWindow(given, of: stack.id).windowSeconds == kept)
      #expect(try await temporary.store.stack(stack.id)?.windowSeconds == kept)
    }
    let quiet = try await temporary.store.setQuiet([.backup, .update, .backup], of: stack.id)
    #expect(quiet.quiet == [.update, .backup] && quiet.kinds == stack.kinds)
    #expect(try await temporary.store.stack(stack.id) == quiet)
    #expect(try await temporary.store.setQuiet([], of: stack.id) == stack)
    #expect(try await temporary.store.stack(other.id) == other)
    let nobody = StackID.minted(.system)
    await #expect(throws: RegistryError.notFound) { try await temporary.store.setWindow(1, of: nobody) }
    await #expect(throws: RegistryError.notFound) { try await temporary.store.setQuiet([], of: nobody) }
  }

  @Test("a stack that is added can be read by id and by label, and its hook token is known")
  func add() async throws {
    let temporary = try TemporaryStore()
    let added = try await temporary.stack("home", kinds: [.backup, .problem])
    let stack = added.stack
    #expect(stack.label == "home")
    #expect(stack.kinds == [.problem, .backup])
    #expect(stack.vapidPublicKey.utf8.count == 87)
    #expect(stack.newest.number == 0)
    #expect(stack.createdAt == TemporaryStore.now)
    #expect(try await temporary.store.stack(stack.id) == stack)
    #expect(try await temporary.store.stack(matching: "home") == stack)
    #expect(try await temporary.store.stacks() == [stack])
    #expect(
      try await temporary.store.credential(for: added.hookToken, at: TemporaryStore.now) == .hook(stack.id))
  }

  @Test("a stack keeps the id that it has, and no second one gets it")
  func ownID() async throws {
    let store = try TemporaryStore().store
    let id = try #require(StackID("my-server_01"))
    let added = try await store.addStack(id: id, label: "a", kinds: [], hookTokenName: "core", at: 0)
    #expect(added.stack.id == id)
    await #expect(throws: RegistryError.stackExists) {
      try await store.addStack(id: id, label: "b", kinds: [], hookTokenName: "core", at: 0)
    }
    #expect(try await store.stacks().map(\.label) == ["a"])
  }

  @Test("a label without a visible character is refused", arguments: ["", " ", "\t\n"])
  func emptyLabel(label: String) async throws {
    let store = try TemporaryStore().store
    await #expect(throws: RegistryError.labelEmpty) {
      try await store.addStack(id: nil, label: label, kinds: [], hookTokenName: "core", at: 0)
    }
  }

  @Test("a label that names several stacks is ambiguous, and an id wins over a label")
  func matching() async throws {
    let temporary = try TemporaryStore()
    let first = try await temporary.stack("twins").stack
    let second = try await temporary.stack("twins").stack
    let ids = [first.id.text, second.id.text].sorted()
    await #expect(throws: RegistryError.ambiguous(ids)) {
      try await temporary.store.stack(matching: "twins")
    }
    let namedLikeAnID = try await temporary.stack(first.id.text).stack
    #expect(namedLikeAnID.id != first.id)
    #expect(try await temporary.store.stack(matching: first.id.text) == first)
    await #expect(throws: RegistryError.notFound) { try await temporary.store.stack(matching: "nobody") }
  }

  @Test("declared kinds are kept in list order and without doubles")
  func kinds() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack(kinds: []).stack
    let changed = try await temporary.store.setKinds([.member, .problem, .member], of: stack.id)
    #expect(changed.kinds == [.problem, .member])
    #expect(try await temporary.store.stack(stack.id)?.kinds == [.problem, .member])
    let nobody = try #require(StackID("nobody-here"))
    await #expect(throws: RegistryError.notFound) { try await temporary.store.setKinds([], of: nobody) }
  }

  @Test("a stack that is removed takes everything with it")
  func remove() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let added = try await temporary.stack()
    let id = added.stack.id
    let registered = try await temporary.register(id, subscription: .at("one"), muted: [.member])
    let code = try await temporary.code(for: id)
    _ = try await store.appendAlert(NewAlert(kind: .problem), to: id, at: 0)
    _ = try await store.beginAttempts(
      [NewAttempt(stack: id, device: registered.device.id, purpose: .test)], at: 0)

    try await store.removeStack(id)
    #expect(try await store.stack(id) == nil)
    #expect(try await store.device(registered.device.id) == nil)
    for token in [added.hookToken, registered.token, code] {
      #expect(try await store.credential(for: token, at: 0) == nil)
    }
    let database = try temporary.database()
    for table in [
      "stacks", "vapid_keys", "hook_tokens", "pairings", "device_tokens", "devices", "subscriptions",
      "audience", "alerts", "attempts",
    ] {
      #expect(try database.integer("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    await #expect(throws: RegistryError.notFound) { try await store.removeStack(id) }
  }
}
