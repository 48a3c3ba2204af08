import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let hookTokens = [hookTokenAdd, hookTokenList, hookTokenRevoke]
  static let adminTokens = [adminTokenAdd, adminTokenList, adminTokenRevoke]

  /// Octets of a token's name: a word or two.
  private static let nameOctets = 64

  private static let hookTokenAdd = Command(
    "stack hook-token add", ["STACK", "NAME"], summary: "make a further token for a stack's core; shown once"
  ) { invocation throws(CommandError) in
    let (stack, name, now) = (invocation.operands[0], try name(invocation.operands[1]), invocation.now)
    let token = try await invocation.withStore { store throws(RegistryError) in
      try await store.addHookToken(name, to: store.stack(matching: stack).id, at: now)
    }
    try invocation.answer(
      ["name": .string(name), "hookToken": .string(token.text)],
      people: ["hook token  \(token.text)", "", "It is not shown again."])
  }

  private static let hookTokenList = Command(
    "stack hook-token list", ["STACK"], summary: "list the names of a stack's hook tokens"
  ) { invocation throws(CommandError) in
    let stack = invocation.operands[0]
    let tokens = try await invocation.withStore { store throws(RegistryError) in
      try await store.hookTokens(of: store.stack(matching: stack).id)
    }
    try answer(
      invocation, tokens, empty: "no hook token: `wake stack hook-token add \(stack) NAME` makes one")
  }

  private static let hookTokenRevoke = Command(
    "stack hook-token revoke", ["STACK", "NAME"], summary: "end one of a stack's hook tokens"
  ) { invocation throws(CommandError) in
    let (name, token) = (invocation.operands[0], invocation.operands[1])
    let wasThere = try await invocation.withStore { store throws(RegistryError) in
      let stack = try await store.stack(matching: name).id
      return try await Self.found { () async throws(RegistryError) in
        try await store.removeHookToken(token, of: stack)
      }
    }
    try revoked(invocation, token, wasThere, list: "wake stack hook-token list \(name)")
  }

  private static let adminTokenAdd = Command(
    "admin-token add", ["NAME"], summary: "make a token for the admin listener on TCP; shown once",
    discussion: """
      Only WAKE_ADMIN_LISTEN asks for such a token: the socket in the state folder is its owner's. Whoever holds it
      may do everything that the operator may.
      """
  ) { invocation throws(CommandError) in
    let (name, now) = (try name(invocation.operands[0]), invocation.now)
    let token = try await invocation.withStore { store throws(RegistryError) in
      try await store.addAdminToken(name, at: now)
    }
    try invocation.answer(
      ["name": .string(name), "adminToken": .string(token.text)],
      people: ["admin token  \(token.text)", "", "It is not shown again."])
  }

  private static let adminTokenList = Command(
    "admin-token list", summary: "list the names of the admin tokens"
  ) { invocation throws(CommandError) in
    let tokens = try await invocation.withStore { store throws(RegistryError) in
      try await store.adminTokens()
    }
    try answer(invocation, tokens, empty: "no admin token: `wake admin-token add NAME` makes one")
  }

  private static let adminTokenRevoke = Command(
    "admin-token revoke", ["NAME"], summary: "end an admin token"
  ) { invocation throws(CommandError) in
    let token = invocation.operands[0]
    let wasThere = try await invocation.withStore { store throws(RegistryError) in
      try await Self.found { () async throws(RegistryError) in try await store.removeAdminToken(token) }
    }
    try revoked(invocation, token, wasThere, list: "wake admin-token list")
  }

  private static func name(_ text: String) throws(CommandError) -> String {
    guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= nameOctets,
      text.unicodeScalars.allSatisfy(\.isOnOneLine)
    else { throw .usage("a token's name is one line of 1 to \(nameOctets) octets") }
    return text
  }

  /// Whether what a removal names was there.
  private static func found(
    _ remove: () async throws(RegistryError) -> Void
  ) async throws(RegistryError) -> Bool {
    do throws(RegistryError) {
      try await remove()
      return true
    } catch .notFound {
      return false
    }
  }

  private static func answer(
    _ invocation: Invocation, _ tokens: [NamedToken], empty: String
  ) throws(CommandError) {
    try invocation.answer(
      .array(
        tokens.map { ["name": .string($0.name), "createdAt": .string(Presentation.time($0.createdAt))] }),
      people: Table.lines(
        ["NAME", "MADE"], tokens.map { [$0.name, LocalTime.words($0.createdAt)] }, empty: empty))
  }

  private static func revoked(
    _ invocation: Invocation, _ name: String, _ wasThere: Bool, list: String
  ) throws(CommandError) {
    guard wasThere else { throw .failed("there is no token of this name; `\(list)` shows all") }
    try invocation.answer(["name": .string(name), "revoked": true], people: ["revoked \(name)"])
  }
}
