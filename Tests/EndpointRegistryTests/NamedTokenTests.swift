import CryptoPrimitives
import Testing

@testable import EndpointRegistry

@Suite("Tokens with a name")
struct NamedTokenTests {
  @Test("a stack has several hook tokens, which are named, listed and ended one at a time")
  func hookTokens() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let added = try await temporary.stack()
    let (stack, first) = (added.stack.id, added.hookToken)
    let second = try await store.addHookToken("spare", to: stack, at: TemporaryStore.now + 1)
    #expect(second.tokenClass == .hook && second.text != first.text)
    #expect(
      try await store.hookTokens(of: stack) == [
        NamedToken(name: "core", createdAt: TemporaryStore.now),
        NamedToken(name: "spare", createdAt: TemporaryStore.now + 1),
      ])
    for token in [first, second] {
      #expect(try await store.credential(for: token, at: 0) == .hook(stack))
    }
    await #expect(throws: RegistryError.nameTaken) {
      try await store.addHookToken("spare", to: stack, at: 0)
    }
    // A name is one stack's.
    let other = try await temporary.stack("other").stack.id
    let foreign = try await store.addHookToken("spare", to: other, at: 0)

    try await store.removeHookToken("spare", of: stack)
    #expect(try await store.credential(for: second, at: 0) == nil)
    #expect(try await store.credential(for: first, at: 0) == .hook(stack))
    #expect(try await store.credential(for: foreign, at: 0) == .hook(other))
    await #expect(throws: RegistryError.notFound) { try await store.removeHookToken("spare", of: stack) }
    // The last one too: a core that was broken into is shut out at once.
    try await store.removeHookToken("core", of: stack)
    #expect(try await store.hookTokens(of: stack) == [])
  }

  @Test("admin tokens are named, listed and ended one at a time")
  func adminTokens() async throws {
    let store = try TemporaryStore().store
    let laptop = try await store.addAdminToken("laptop", at: 1)
    let desk = try await store.addAdminToken("desk", at: 2)
    #expect(laptop.tokenClass == .admin)
    await #expect(throws: RegistryError.nameTaken) { try await store.addAdminToken("desk", at: 3) }
    #expect(try await store.adminTokens().map(\.name) == ["laptop", "desk"])
    try await store.removeAdminToken("laptop")
    #expect(try await store.credential(for: laptop, at: 0) == nil)
    #expect(try await store.credential(for: desk, at: 0) == .admin)
    await #expect(throws: RegistryError.notFound) { try await store.removeAdminToken("laptop") }
  }

  @Test("a token that another process ended is refused at the next use")
  func otherProcess() async throws {
    let temporary = try TemporaryStore()
    let added = try await temporary.stack()
    let commandLine = try temporary.another()
    try await commandLine.removeHookToken("core", of: added.stack.id)
    await commandLine.close()
    #expect(try await temporary.store.credential(for: added.hookToken, at: 0) == nil)
  }
}
