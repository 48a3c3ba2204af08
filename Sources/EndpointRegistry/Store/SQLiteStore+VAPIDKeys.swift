extension SQLiteStore {
  package func vapidKeys(of stack: StackID) async throws(RegistryError) -> [VAPIDKeyUse] {
    try await read { session throws(RegistryError) in
      try session.vapidKeys(of: session.requireStack(stack))
    }
  }

  package func replaceVAPIDKey(of stack: StackID, at: Int64) async throws(RegistryError) -> [VAPIDKeyUse] {
    try await write { session throws(RegistryError) in
      let row = try session.requireStack(stack)
      try session.replaceVAPIDKey(of: row, at: at)
      return try session.vapidKeys(of: row)
    }
  }

  package func devices(
    onReplacedKeyOf stack: StackID, after: DeviceID?, limit: Int
  ) async throws(RegistryError) -> [Device] {
    try await read { session throws(RegistryError) in
      try session.devices(onReplacedKeyOf: session.requireStack(stack), after: after, limit: limit)
    }
  }

  package func retireReplacedVAPIDKeys(of stack: StackID) async throws(RegistryError) -> [DeviceID] {
    try await write { session throws(RegistryError) in
      try session.retireReplacedVAPIDKeys(of: session.requireStack(stack))
    }
  }
}

extension Session {
  /// The current one and then the others, the newest first.
  fileprivate func vapidKeys(of stack: StackRow) throws(RegistryError) -> [VAPIDKeyUse] {
    try database.all(
      """
      SELECT v.public_key, v.is_current, v.created_at, v.replaced_at,
        (SELECT count(DISTINCT u.device) FROM subscriptions u WHERE u.vapid_key = v.serial)
      FROM vapid_keys v WHERE v.stack = ? ORDER BY v.is_current DESC, v.serial DESC
      """,
      .integer(stack.serial)
    ) { row throws(RegistryError) in
      VAPIDKeyUse(
        publicKey: try row.vapidPublicKey(0), isCurrent: row.truth(1), createdAt: row.integer(2),
        replacedAt: row.optionalInteger(3), devices: Int(row.integer(4)))
    }
  }

  fileprivate func replaceVAPIDKey(of stack: StackRow, at: Int64) throws(RegistryError) {
    try database.run(
      "UPDATE vapid_keys SET is_current = 0, replaced_at = ? WHERE stack = ? AND is_current = 1",
      .integer(at), .integer(stack.serial))
    try addVAPIDKey(to: stack.serial, at: at)
  }

  /// Makes a key and makes it the current one; there must be no other current one.
  func addVAPIDKey(to stack: Int64, at: Int64) throws(RegistryError) {
    let key = try SealedVAPIDKey.make(keys, random: random)
    try database.run(
      "INSERT INTO vapid_keys (stack, public_key, private_key, is_current, created_at) VALUES (?, ?, ?, 1, ?)",
      .integer(stack), .text(key.publicKey), .octets(key.sealed), .integer(at))
  }

  /// Ends what was subscribed with a key that is not the current one, and forgets those keys. Nothing can be sent to
  /// such a subscription but what its own key has signed (RFC 8292 §4.2).
  fileprivate func retireReplacedVAPIDKeys(of stack: StackRow) throws(RegistryError) -> [DeviceID] {
    let holders = try database.all(
      """
      SELECT DISTINCT d.serial, d.id, d.stack FROM vapid_keys v JOIN subscriptions u ON u.vapid_key = v.serial
      JOIN devices d ON d.serial = u.device WHERE v.stack = ? AND v.is_current = 0 ORDER BY d.id
      """,
      .integer(stack.serial), read: Self.deviceRow)
    for holder in holders {
      _ = try watchingSubscription(of: holder) { () throws(RegistryError) in
        try takeSubscriptionsOnReplacedKeys(of: holder)
      }
    }
    try database.run(
      "DELETE FROM vapid_keys WHERE stack = ? AND is_current = 0", .integer(stack.serial))
    return holders.map(\.id)
  }
}
