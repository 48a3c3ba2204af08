import EndpointRegistry

extension FuzzTarget {
  /// A backup file. Where it verifies, no octet of it could be another.
  static let backup = FuzzTarget("backup", lengthMaximum: 8_192) { octets in
    guard try verifies(octets) else { return }
    for offset in [0, octets.count / 2, octets.count - 1] {
      var changed = octets
      changed[offset] ^= 1
      try require(!verifies(changed), "a backup with another octet at \(offset) verifies")
    }
  }

  private static func verifies(_ octets: [UInt8]) throws -> Bool {
    try ScratchFile.with(octets) { path in
      do throws(RegistryError) {
        let backup = try BackupReader(path)
        try backup.verify()
        return true
      } catch {
        try require(!"\(error)".isEmpty, "a refusal without a word")
        return false
      }
    }
  }
}
