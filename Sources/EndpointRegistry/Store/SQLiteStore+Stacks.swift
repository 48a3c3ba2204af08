package import KindCatalogue

extension SQLiteStore {
  package func addStack(
    id: StackID?, label: String, kinds: [Kind], hookTokenName: String, at: Int64
  ) async throws(RegistryError) -> AddedStack {
    try await write { session throws(RegistryError) in
      try session.addStack(id: id, label: label, kinds: kinds, hookTokenName: hookTokenName, at: at)
    }
  }

  package func stacks() async throws(RegistryError) -> [Stack] {
    try await read { session throws(RegistryError) in try session.stacks() }
  }

  package func stack(_ id: StackID) async throws(RegistryError) -> Stack? {
    try await read { session throws(RegistryError) in try session.stack(id)?.stack }
  }

  package func stack(matching idOrLabel: String) async throws(RegistryError) -> Stack {
    try await read { session throws(RegistryError) in try session.stack(matching: idOrLabel) }
  }

  package func setKinds(_ kinds: [Kind], of stack: StackID) async throws(RegistryError) -> Stack {
    try await write { session throws(RegistryError) in
      let known = try session.requireStack(stack)
      try session.database.run(
        "UPDATE stacks SET kinds = ? WHERE serial = ?", .kinds(kinds), .integer(known.serial))
      return try session.requireStack(stack).stack
    }
  }

  package func setLabel(_ label: String, of stack: StackID) async throws(RegistryError) -> Stack {
    try await write { session throws(RegistryError) in
      guard label.contains(where: { !$0.isWhitespace }) else { throw .labelEmpty }
      let known = try session.requireStack(stack)
      try session.database.run(
        "UPDATE stacks SET label = ? WHERE serial = ?", .text(label), .integer(known.serial))
      return try session.requireStack(stack).stack
    }
  }

  package func setWindow(_ seconds: Int?, of stack: StackID) async throws(RegistryError) -> Stack {
    try await write { session throws(RegistryError) in
      let known = try session.requireStack(stack)
      try session.database.run(
        "UPDATE stacks SET window_seconds = ? WHERE serial = ?",
        .optional(seconds.map(Stack.window)), .integer(known.serial))
      return try session.requireStack(stack).stack
    }
  }

  package func setQuiet(_ kinds: [Kind], of stack: StackID) async throws(RegistryError) -> Stack {
    try await write { session throws(RegistryError) in
      let known = try session.requireStack(stack)
      try session.database.run(
        "UPDATE stacks SET quiet = ? WHERE serial = ?", .kinds(kinds), .integer(known.serial))
      return try session.requireStack(stack).stack
    }
  }

  package func removeStack(_ id: StackID) async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      try session.database.run("DELETE FROM stacks WHERE id = ?", .text(id.text))
      guard session.database.changes > 0 else { throw .notFound }
    }
  }
}

/// A stack and what its row is called inside the store.
struct StackRow {
  let serial: Int64
  let stack: Stack
}

extension Session {
  private static let stackColumns = """
    SELECT s.serial, s.id, s.label, s.kinds, s.epoch, s.newest, s.created_at, v.public_key, s.quiet,
      s.window_seconds
    FROM stacks s JOIN vapid_keys v ON v.stack = s.serial AND v.is_current = 1
    """

  /// The stack of that id, or nil.
  func stack(_ id: StackID) throws(RegistryError) -> StackRow? {
    try database.first(Self.stackColumns + " WHERE s.id = ?", .text(id.text), read: Self.stackRow)
  }

  /// The stack of that id; `notFound` where there is none.
  func requireStack(_ id: StackID) throws(RegistryError) -> StackRow {
    guard let row = try stack(id) else { throw .notFound }
    return row
  }

  fileprivate func stacks() throws(RegistryError) -> [Stack] {
    try database.all(Self.stackColumns + " ORDER BY s.id") { row throws(RegistryError) in
      try Self.stackRow(row).stack
    }
  }

  fileprivate func stack(matching idOrLabel: String) throws(RegistryError) -> Stack {
    if let id = StackID(idOrLabel), let row = try stack(id) { return row.stack }
    let labelled = try database.all(
      Self.stackColumns + " WHERE s.label = ? ORDER BY s.id", .text(idOrLabel), read: Self.stackRow)
    guard let row = labelled.first else { throw .notFound }
    guard labelled.count == 1 else { throw .ambiguous(labelled.map(\.stack.id.text)) }
    return row.stack
  }

  fileprivate func addStack(
    id: StackID?, label: String, kinds: [Kind], hookTokenName: String, at: Int64
  ) throws(RegistryError) -> AddedStack {
    guard label.contains(where: { !$0.isWhitespace }) else { throw .labelEmpty }
    let id = id ?? StackID.minted(random)
    guard try stack(id) == nil else { throw .stackExists }
    try database.run(
      "INSERT INTO stacks (id, label, kinds, epoch, newest, created_at) VALUES (?, ?, ?, ?, 0, ?)",
      .text(id.text), .text(label), .kinds(kinds), .text(AlertID.mintedEpoch(random)), .integer(at))
    let serial = database.lastInsertedRow

    try addVAPIDKey(to: serial, at: at)
    let token = try addHookToken(hookTokenName, to: serial, at: at)
    return AddedStack(stack: try requireStack(id).stack, hookToken: token)
  }

  private static func stackRow(_ row: Statement) throws(RegistryError) -> StackRow {
    let newest = row.integer(5)
    guard (0..<Int64.max).contains(newest) else { throw .damaged("a stack that has no room for an alert") }
    let stack = Stack(
      id: try row.stackID(1), label: row.text(2), kinds: try row.kinds(3), quiet: try row.kinds(8),
      windowSeconds: row.optionalInteger(9).map { Stack.window(Int($0)) },
      vapidPublicKey: try row.vapidPublicKey(7),
      newest: AlertID(epoch: row.text(4), number: newest), createdAt: row.integer(6))
    return StackRow(serial: row.integer(0), stack: stack)
  }
}
