extension SQLiteStore {
  package func credential(for token: Token, at: Int64) async throws(RegistryError) -> Credential? {
    let digest = token.digest
    switch token.tokenClass {
    case .hook:
      return try await read { session throws(RegistryError) in
        try session.stackOfToken("hook_tokens", digest).map { .hook($0) }
      }
    case .pairing:
      return try await read { session throws(RegistryError) in
        try session.pairingCredential(digest, at: at)
      }
    case .admin:
      return try await read { session throws(RegistryError) in
        try session.database.integer("SELECT 1 FROM admin_tokens WHERE digest = ?", .octets(digest))
          .map { _ in .admin }
      }
    case .device:
      return try await deviceCredential(digest)
    }
  }

  package func ended(_ tokens: [Token]) async throws(RegistryError) -> [Token] {
    guard !tokens.isEmpty else { return [] }
    let digests = tokens.map(\.digest)
    let open = try await read { session throws(RegistryError) in try session.openTokens(digests) }
    return zip(tokens, open).compactMap { $1 ? nil : $0 }
  }

  private func deviceCredential(_ digest: [UInt8]) async throws(RegistryError) -> Credential? {
    let found = try await read { session throws(RegistryError) in try session.deviceToken(digest) }
    guard let found else { return nil }
    if found.hasEarlier {
      do throws(RegistryError) {
        try await write { session throws(RegistryError) in try session.endTokens(before: found) }
      } catch .busy {
        // The caller has shown a good token: it is let in. Its earlier ones end at its next use.
      } catch .storageFull {
        // Likewise.
      }
    }
    return found.isRevoked ? .revoked(found.device, found.stack) : .device(found.device, found.stack)
  }
}

/// Tokens that one device may have at once, of answers that got lost: more than anybody repeats a request.
private let unusedTokensMaximum: Int64 = 64

/// A device's token as the store knows it.
struct DeviceTokenRow: Sendable {
  let serial: Int64
  let device: DeviceID
  let stack: StackID
  let issue: Int64
  let isRevoked: Bool
  /// Whether the device has tokens that were issued before: this one's first use ends them.
  let hasEarlier: Bool
}

extension Session {
  /// The stack that a token of `table` belongs to.
  fileprivate func stackOfToken(_ table: StaticString, _ digest: [UInt8]) throws(RegistryError) -> StackID? {
    try database.first(
      "SELECT s.id FROM \(table) t JOIN stacks s ON s.serial = t.stack WHERE t.digest = ?", .octets(digest)
    ) { row throws(RegistryError) in try row.stackID(0) }
  }

  /// A pairing code and whether it still opens anything.
  fileprivate func pairingCredential(_ digest: [UInt8], at: Int64) throws(RegistryError) -> Credential? {
    try database.first(
      """
      SELECT s.id, p.expires_at <= ?,
        p.device IS NOT NULL AND NOT EXISTS (SELECT 1 FROM devices d WHERE d.id = p.device)
      FROM pairings p JOIN stacks s ON s.serial = p.stack WHERE p.digest = ?
      """,
      .integer(at), .octets(digest)
    ) { row throws(RegistryError) in
      .pairing(try row.stackID(0), row.truth(2) ? .ended : row.truth(1) ? .expired : .open)
    }
  }

  fileprivate func deviceToken(_ digest: [UInt8]) throws(RegistryError) -> DeviceTokenRow? {
    try database.first(
      """
      SELECT t.device, s.id, t.issue, t.revoked_at IS NOT NULL,
        EXISTS (SELECT 1 FROM device_tokens e WHERE e.serial = t.serial AND e.issue < t.issue), t.serial
      FROM device_tokens t JOIN stacks s ON s.serial = t.stack WHERE t.digest = ?
      """,
      .octets(digest)
    ) { row throws(RegistryError) in
      DeviceTokenRow(
        serial: row.integer(5), device: try row.deviceID(0), stack: try row.stackID(1), issue: row.integer(2),
        isRevoked: row.truth(3), hasEarlier: row.truth(4))
    }
  }

  /// Of each digest, whether it is that of a token which stands for a device that is there.
  fileprivate func openTokens(_ digests: [[UInt8]]) throws(RegistryError) -> [Bool] {
    try snapshot { () throws(RegistryError) in
      var open: [Bool] = []
      for digest in digests {
        let row = try database.integer(
          "SELECT 1 FROM device_tokens WHERE digest = ? AND revoked_at IS NULL", .octets(digest))
        open.append(row != nil)
      }
      return open
    }
  }

  fileprivate func endTokens(before token: DeviceTokenRow) throws(RegistryError) {
    try database.run(
      "DELETE FROM device_tokens WHERE serial = ? AND issue < ?",
      .integer(token.serial), .integer(token.issue))
  }

  /// A new token for a device, beside those that it has and nobody has shown a newer one than.
  func issueToken(to device: DeviceRow) throws(RegistryError) -> Token {
    let token = Token.minted(.device, random: random)
    let last = try database.integer(
      "SELECT max(issue) FROM device_tokens WHERE serial = ?", .integer(device.serial))
    let issue = (last ?? 0) &+ 1
    if issue > unusedTokensMaximum {
      try database.run(
        "DELETE FROM device_tokens WHERE serial = ? AND issue <= ?",
        .integer(device.serial), .integer(issue - unusedTokensMaximum))
    }
    try addToken(token, to: device, issue: issue)
    return token
  }

  /// Puts a token on record.
  func addToken(_ token: Token, to device: DeviceRow, issue: Int64) throws(RegistryError) {
    try database.run(
      "INSERT INTO device_tokens (digest, stack, serial, device, issue) VALUES (?, ?, ?, ?, ?)",
      .octets(token.digest), .integer(device.stack), .integer(device.serial), .text(device.id.text),
      .integer(issue))
  }

  /// Ends all tokens of a device: whoever shows one is not known any more.
  func endTokens(of device: DeviceRow) throws(RegistryError) {
    try database.run("DELETE FROM device_tokens WHERE serial = ?", .integer(device.serial))
  }

  /// Revokes all tokens of a device: whoever shows one is told to pair again.
  func revokeTokens(of device: DeviceRow, at: Int64) throws(RegistryError) {
    try database.run(
      "UPDATE device_tokens SET revoked_at = ? WHERE serial = ?", .integer(at), .integer(device.serial))
  }

  /// Whether a device of that id was there and was revoked or removed.
  func wasRevoked(_ device: DeviceID) throws(RegistryError) -> Bool {
    try database.integer(
      "SELECT 1 FROM device_tokens WHERE device = ? AND revoked_at IS NOT NULL LIMIT 1", .text(device.text))
      != nil
  }
}
