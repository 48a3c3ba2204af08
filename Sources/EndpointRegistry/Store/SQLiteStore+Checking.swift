package import CryptoPrimitives

extension SQLiteStore {
  /// Writes what is there once more, so that the disk has to take it.
  package func checkWrite() async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      try session.database.run("UPDATE store SET generation = generation WHERE id = 1")
    }
  }

  /// Whether `serviceKey` opens the store now.
  package func isOpened(by serviceKey: SecretOctets) async throws(RegistryError) -> Bool {
    try await read { session in session.database.isOpened(by: serviceKey) }
  }
}
