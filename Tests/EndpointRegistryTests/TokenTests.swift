import CryptoPrimitives
import Testing

@testable import EndpointRegistry

@Suite("Credentials")
struct TokenTests {
  @Test(
    "those that stand for no device any more are told, in their order, and none is used by being asked about")
  func ended() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let other = try await temporary.stack("other").stack.id
    let open = try await temporary.register(stack).token
    let removed = try await temporary.register(stack)
    let client = ClientID.minted(.system)
    let code = try await temporary.code(for: stack)
    let registration = Registration(pairing: code, client: client)
    let older = try await store.register(registration, at: TemporaryStore.now).token
    let newer = try await store.register(registration, at: TemporaryStore.now).token
    let elsewhere = try await temporary.register(other).token
    let unknown = Token.minted(.device, random: .system)
    let all = [open, removed.token, older, newer, elsewhere, unknown]
    func ended() async throws -> [String] { try await store.ended(all).map(\.text) }
    // Asking about the newer one does not end the older one.
    #expect(try await ended() == [unknown].map(\.text))
    #expect(try await ended() == [unknown].map(\.text))
    _ = try await store.credential(for: newer, at: TemporaryStore.now)
    try await store.removeDevice(removed.device.id, at: TemporaryStore.now)
    try await store.removeStack(other)
    #expect(try await ended() == [removed.token, older, elsewhere, unknown].map(\.text))
    #expect(try await store.ended([]).isEmpty)
    let many = (0..<3_000).map { _ in Token.minted(.device, random: .system) }
    #expect(try await store.ended(many + [open]).count == 3_000)
  }

  @Test("a token that nobody was given is unknown", arguments: Token.Class.allCases)
  func unknown(tokenClass: Token.Class) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    #expect(try await temporary.store.credential(for: .minted(tokenClass, random: .system), at: 0) == nil)
  }

  @Test("an admin token stands for the operator")
  func admin() async throws {
    let temporary = try TemporaryStore()
    let token = Token.minted(.admin, random: .system)
    try temporary.database().run(
      "INSERT INTO admin_tokens (digest, name, created_at) VALUES (?, 'me', 0)", .octets(token.digest))
    #expect(try await temporary.store.credential(for: token, at: 0) == .admin)
  }

  @Test("the first use of a token ends all earlier ones of that device, also where other tokens lie between")
  func earlier() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let registration = Registration(pairing: try await temporary.code(for: stack), client: .minted(.system))
    var tokens: [Token] = []
    for _ in 0..<5 { tokens.append(try await store.register(registration, at: TemporaryStore.now).token) }
    let other = try await temporary.register(stack)
    let id = try #require(
      try await store.devices(stack: stack, after: nil, limit: 10).first { $0.id != other.device.id }
    ).id
    let device = Credential.device(id, stack)
    #expect(try await store.credential(for: tokens[3], at: 0) == device)
    for token in tokens[..<3] { #expect(try await store.credential(for: token, at: 0) == nil) }
    #expect(try await store.credential(for: tokens[3], at: 0) == device)
    #expect(try await store.credential(for: tokens[4], at: 0) == device)
    #expect(try await store.credential(for: tokens[3], at: 0) == nil)
    #expect(try await store.credential(for: other.token, at: 0) == .device(other.device.id, stack))
  }

  @Test(
    "a good token is let in although its earlier ones cannot be ended, because another process holds the store"
  )
  func locked() async throws {
    var options = StoreOptions()
    options.busyTimeoutMilliseconds = 50
    let temporary = try TemporaryStore(options: options)
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let registration = Registration(pairing: try await temporary.code(for: stack), client: .minted(.system))
    let first = try await store.register(registration, at: TemporaryStore.now)
    let second = try await store.register(registration, at: TemporaryStore.now)
    let device = Credential.device(first.device.id, stack)
    let other = try temporary.database()
    try other.run("BEGIN IMMEDIATE")
    #expect(try await store.credential(for: second.token, at: 0) == device)
    #expect(try await store.credential(for: first.token, at: 0) == device)
    try other.run("COMMIT")
    #expect(try await store.credential(for: second.token, at: 0) == device)
    #expect(try await store.credential(for: first.token, at: 0) == nil)
  }

  @Test("the store knows a token's SHA-256 and nothing more of it, and looks it up by an index")
  func digests() async throws {
    let temporary = try TemporaryStore()
    let added = try await temporary.stack()
    let registered = try await temporary.register(added.stack.id)
    let code = try await temporary.code(for: added.stack.id)
    let admin = try await temporary.store.addAdminToken("laptop", at: 0)
    let database = try temporary.database()
    for (table, token) in [
      ("hook_tokens", added.hookToken), ("device_tokens", registered.token), ("pairings", code),
      ("admin_tokens", admin),
    ] {
      let digests = try database.all("SELECT digest FROM \(table)") { $0.octets(0) }
      #expect(digests.contains(token.digest), "\(table)")
      // How long a scan takes would depend on how many tokens there are and where this one lies.
      let plan = try database.all("EXPLAIN QUERY PLAN SELECT 1 FROM \(table) WHERE digest = x'00'") {
        $0.text(3)
      }
      let step = try #require(plan.first)
      #expect(plan.count == 1 && step.hasPrefix("SEARCH \(table)") && step.hasSuffix("(digest=?)"), "\(plan)")
    }
  }
}
