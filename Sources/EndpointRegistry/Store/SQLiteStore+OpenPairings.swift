extension SQLiteStore {
  package func openPairings(
    of stack: StackID?, after: PairingID?, limit: Int, at: Int64
  ) async throws(RegistryError) -> [OpenPairing] {
    try await read { session throws(RegistryError) in
      let open = try session.openPairings(at: at)
      let rest = after.map { after in open.drop { $0.pairing.id != after }.dropFirst() } ?? open[...]
      return Array(rest.lazy.map(\.pairing).filter { stack == nil || $0.stack == stack }.prefix(limit))
    }
  }

  package func removePairing(_ id: PairingID, at: Int64) async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      guard let found = try session.openPairings(at: at).first(where: { $0.pairing.id == id }) else {
        throw .notFound
      }
      try session.database.run("DELETE FROM pairings WHERE digest = ?", .octets(found.digest))
    }
  }
}

extension Session {
  /// The codes that can still register a device, the oldest first. They are made by hand and live for minutes: few.
  fileprivate func openPairings(
    at: Int64
  ) throws(RegistryError) -> [(pairing: OpenPairing, digest: [UInt8])] {
    try database.all(
      """
      SELECT p.digest, s.id, p.created_at, p.expires_at FROM pairings p JOIN stacks s ON s.serial = p.stack
      WHERE p.expires_at > ? AND p.client IS NULL ORDER BY p.expires_at, p.digest
      """, .integer(at)
    ) { row throws(RegistryError) in
      let digest = row.octets(0)
      let pairing = OpenPairing(
        id: PairingID(digest: digest), stack: try row.stackID(1), createdAt: row.integer(2),
        expiresAt: row.integer(3))
      return (pairing, digest)
    }
  }
}
