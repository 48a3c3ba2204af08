internal import CryptoPrimitives

/// What happens before a store is used: finding or making the file, the schema, the check, the keys.
struct StorePreparation: Sendable {
  let path: String
  let serviceKey: SecretOctets
  let create: Bool
  let random: RandomOctets
  let options: StoreOptions

  /// What opening needs to know.
  struct Prepared {
    let keys: StoreKeys
    /// Whether the store was made just now.
    let didCreate: Bool
    /// The check of the file, which may still go on.
    let check: StoreCheck
  }

  /// A file that is refused is left as it is.
  func run() throws(RegistryError) -> Prepared {
    guard path.hasPrefix("/") else { throw .pathNotAbsolute(path) }
    let didCreate = try makeIfMissing()
    try StoreFile.expectWritable(path)
    // SQLite would take an empty file for a database that nobody has written to, and its log for a stranger's.
    guard try !StoreFile.isEmpty(path) else { throw .notAStore(path) }
    let migrator = Migrator(migrations: options.migrations)
    let version = try version(migrator)
    guard version > 0 else { throw .notAStore(path) }
    guard options.migrates || version == migrator.known else {
      throw .olderSchema(found: version, known: migrator.known)
    }

    let database = try open(.prepare)
    try migrator.expectWhole(database, at: path)
    try useWriteAheadLog(database)
    // Before a step is taken: a damaged store, and one that this key does not open, is not touched.
    let check = StoreCheck(path: path) { () throws(RegistryError) in try open(.prepare) }
    _ = try check.finishes(within: version == migrator.known ? options.checkMilliseconds : nil)
    let keys = try StoreKeys(dataKey: unwrap(database))
    try migrator.migrate(database)
    return Prepared(keys: keys, didCreate: didCreate, check: check)
  }

  /// What the file says of itself. A change that was cut off by a power cut, and that SQLite has a journal of, is taken
  /// back first: that needs the right to write.
  private func version(_ migrator: Migrator) throws(RegistryError) -> Int {
    do throws(RegistryError) {
      return try migrator.version(of: open(.inspect))
    } catch .sqlite(SQLiteFailure.needsRollback, _) {
      return try migrator.version(of: open(.prepare))
    }
  }

  /// Makes a store where there is nothing. It is made whole under another name, so that nobody ever opens half of
  /// one; of several first starts at once, one puts its own into place, and the others use that one.
  private func makeIfMissing() throws(RegistryError) -> Bool {
    guard try !StoreFile.exists(at: path) else { return false }
    guard create else { throw .storeMissing(path) }
    let temporary = ScratchFile.name(for: path, random: random)
    try StoreFile.create(at: temporary)
    defer { StoreFile.remove(temporary) }
    try make(at: temporary)
    return try StoreFile.link(temporary, to: path)
  }

  private func make(at temporary: String) throws(RegistryError) {
    let database = try Database(
      path: temporary, mode: .readWrite, busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
    try Migrator(migrations: options.migrations).migrate(database) { database throws(RegistryError) in
      let wrapped = try WrappedDataKey.make(serviceKey: serviceKey, random: random)
      try database.run(
        "INSERT INTO store (id, data_key, generation) VALUES (1, ?, 0)", .octets(wrapped))
    }
    try useWriteAheadLog(database)
  }

  private func open(_ mode: ConnectionHandle.Mode) throws(RegistryError) -> Database {
    try Database(path: path, mode: mode, busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
  }

  /// The mode is a property of the file: it is set once, and the lock that this needs is not asked for again.
  private func useWriteAheadLog(_ database: Database) throws(RegistryError) {
    let mode = try database.first("PRAGMA journal_mode") { $0.text(0) }
    guard mode != "wal" else { return }
    let set = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard set == "wal" else { throw .sqlite(code: 0, operation: "journal_mode = WAL") }
  }

  private func unwrap(_ database: Database) throws(RegistryError) -> SecretOctets {
    try database.dataKey(serviceKey: serviceKey)
  }
}
