extension SQLiteStore {
  package func addHookToken(
    _ name: String, to stack: StackID, at: Int64
  ) async throws(RegistryError) -> Token {
    try await write { session throws(RegistryError) in
      try session.addHookToken(name, to: session.requireStack(stack).serial, at: at)
    }
  }

  package func hookTokens(of stack: StackID) async throws(RegistryError) -> [NamedToken] {
    try await read { session throws(RegistryError) in
      try session.database.all(
        "SELECT name, created_at FROM hook_tokens WHERE stack = ? ORDER BY created_at, name",
        .integer(session.requireStack(stack).serial), read: Session.namedToken)
    }
  }

  package func removeHookToken(_ name: String, of stack: StackID) async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      try session.database.run(
        "DELETE FROM hook_tokens WHERE stack = ? AND name = ?",
        .integer(session.requireStack(stack).serial), .text(name))
      guard session.database.changes > 0 else { throw .notFound }
    }
  }

  package func addAdminToken(_ name: String, at: Int64) async throws(RegistryError) -> Token {
    try await write { session throws(RegistryError) in
      let known = try session.database.integer("SELECT 1 FROM admin_tokens WHERE name = ?", .text(name))
      guard known == nil else { throw .nameTaken }
      let token = Token.minted(.admin, random: session.random)
      try session.database.run(
        "INSERT INTO admin_tokens (digest, name, created_at) VALUES (?, ?, ?)",
        .octets(token.digest), .text(name), .integer(at))
      return token
    }
  }

  package func adminTokens() async throws(RegistryError) -> [NamedToken] {
    try await read { session throws(RegistryError) in
      try session.database.all(
        "SELECT name, created_at FROM admin_tokens ORDER BY created_at, name", read: Session.namedToken)
    }
  }

  package func removeAdminToken(_ name: String) async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      try session.database.run("DELETE FROM admin_tokens WHERE name = ?", .text(name))
      guard session.database.changes > 0 else { throw .notFound }
    }
  }
}

extension Session {
  /// A further token for a stack's core.
  func addHookToken(_ name: String, to stack: Int64, at: Int64) throws(RegistryError) -> Token {
    let known = try database.integer(
      "SELECT 1 FROM hook_tokens WHERE stack = ? AND name = ?", .integer(stack), .text(name))
    guard known == nil else { throw .nameTaken }
    let token = Token.minted(.hook, random: random)
    try database.run(
      "INSERT INTO hook_tokens (digest, stack, name, created_at) VALUES (?, ?, ?, ?)",
      .octets(token.digest), .integer(stack), .text(name), .integer(at))
    return token
  }

  fileprivate static func namedToken(_ row: Statement) -> NamedToken {
    NamedToken(name: row.text(0), createdAt: row.integer(1))
  }
}
