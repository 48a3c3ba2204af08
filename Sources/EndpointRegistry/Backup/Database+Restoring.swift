internal import CryptoPrimitives

extension Database {
  /// Whether `serviceKey` is the one that wraps the data key.
  func isOpened(by serviceKey: SecretOctets) -> Bool { (try? dataKey(serviceKey: serviceKey)) != nil }

  /// Keeps the data key as `wrapped` has it.
  func setDataKey(_ wrapped: [UInt8]) throws(RegistryError) {
    try run("UPDATE store SET data_key = ?", .octets(wrapped))
  }

  /// Begins a new epoch on every stack. Numbers go on, and cursors of the old epoch are as good as before up to the
  /// newest alert that is here: what was raised after the backup had the same numbers and is lost. What was raised
  /// before it wakes nobody any more: that happened, or is long past.
  func beginEpochs(random: RandomOctets) throws(RegistryError) {
    let stacks = try all("SELECT serial FROM stacks") { $0.integer(0) }
    for stack in stacks {
      try run(
        """
        INSERT INTO past_epochs (stack, epoch, last) SELECT serial, epoch, newest FROM stacks WHERE serial = ?
        ON CONFLICT (stack, epoch) DO UPDATE SET last = excluded.last
        """,
        .integer(stack))
      try run(
        "UPDATE stacks SET epoch = ?, newest_waking = newest, settled = newest WHERE serial = ?",
        .text(AlertID.mintedEpoch(random)), .integer(stack))
    }
    try run(
      """
      UPDATE devices SET seen = (SELECT newest FROM stacks WHERE serial = devices.stack),
        pending_first = NULL, pending_last = NULL, pending_count = 0, pending_at = NULL, window_at = NULL
      """)
  }

  /// Removes every device so that its tokens stand for a revoked one, and every other token.
  func revokeEverybody(at: Int64) throws(RegistryError) {
    try run("DELETE FROM devices")
    try run("UPDATE device_tokens SET revoked_at = ? WHERE revoked_at IS NULL", .integer(at))
    for table in ["pairings", "hook_tokens", "admin_tokens"] { try run("DELETE FROM \(table)") }
  }
}
