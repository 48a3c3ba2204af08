package import CryptoPrimitives

extension SQLiteStore {
  /// Changes a page and changes it back, so that the disk has to take it: SQLite writes no page that stays the same.
  /// A file that was moved away takes it too, so that its place is looked at before.
  package func checkWrite() async throws(RegistryError) {
    guard FileIdentity(of: path) == file else { throw .storeMoved(path) }
    try await write { session throws(RegistryError) in
      try session.database.run("UPDATE store SET generation = generation + 1 WHERE id = 1")
      try session.database.run("UPDATE store SET generation = generation - 1 WHERE id = 1")
    }
  }

  /// Whether `serviceKey` opens the store now.
  package func isOpened(by serviceKey: SecretOctets) async throws(RegistryError) -> Bool {
    try await read { session in session.database.isOpened(by: serviceKey) }
  }
}
