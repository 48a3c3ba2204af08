package import CryptoPrimitives

/// Makes the store of a backup the store that is used. Everything is done and checked under another name first; only then
/// does the restored store take its place, at once.
package struct StoreRestoration {
  private let path: String
  private let keySource: ServiceKeySource
  private let revokesTokens: Bool
  private let at: Int64
  private let random: RandomOctets
  private let passphrase: () -> SecretOctets?

  /// A restoration to the absolute `path`.
  ///
  /// - Parameters:
  ///   - revokesTokens: whether everybody has to pair again, and every core and operator needs a new token.
  ///   - at: the time now.
  ///   - passphrase: is asked once, where the key of `keySource` does not do; nil where nobody knows it.
  package init(
    path: String, keySource: ServiceKeySource, revokesTokens: Bool, at: Int64, random: RandomOctets,
    passphrase: @escaping () -> SecretOctets?
  ) {
    // SQLite follows a link too, and keeps its log beside what that leads to.
    self.path = FilePath.resolved(path)
    self.keySource = keySource
    self.revokesTokens = revokesTokens
    self.at = at
    self.random = random
    self.passphrase = passphrase
  }

  /// Restores `backup`, which was verified. No server may work on the store. With `replacing`, a store that is there gets
  /// the name `aside` and stays; it and the restored one are whole at every moment.
  package func run(
    _ backup: borrowing BackupReader, replacing: Bool, aside: String,
    progress: @escaping (BackupProgress) -> Void = { _ in }
  ) throws(RegistryError) -> RestoredStore {
    guard path.hasPrefix("/") else { throw .pathNotAbsolute(path) }
    let exists = try StoreFile.exists(at: path)
    guard replacing || !exists else { throw .backup(.storeExists, path: path) }
    let known = Schema.migrations.count
    guard backup.contents.schema <= known else {
      throw .newerSchema(found: backup.contents.schema, known: known)
    }
    try StoreFile.createFolder(FilePath.folder(of: path))

    let temporary = Self.temporary(for: path)
    StoreCopy.remove(temporary)
    defer { StoreCopy.remove(temporary) }
    try unpack(backup, to: temporary)
    progress(.preparing)
    let installed = try prepare(temporary, backup)
    if let installed, case .file(let keyPath) = keySource {
      progress(.installingKey)
      try ServiceKeyFile.create(keyPath, key: installed.octets, random: random)
      // Somebody else's key may have come first.
      guard try ServiceKeyFile.load(keyPath) == installed else {
        throw .serviceKeyUnusable("another service key appeared at \(keyPath) just now: try again")
      }
    }
    try StoreReplacement(path: path, aside: aside, progress: progress).put(temporary)
    return RestoredStore(
      contents: backup.contents, aside: exists ? aside : nil, didInstallKey: installed != nil)
  }

  /// Where the restored store of `path` lies until it takes its place.
  static func temporary(for path: String) -> String { "\(path).restoring" }

  private func unpack(_ backup: borrowing BackupReader, to temporary: String) throws(RegistryError) {
    let file = try DataFile(making: temporary)
    try backup.read(.store) { octets throws(RegistryError) in try file.write(octets) }
  }

  /// Makes the store at `temporary` the one to be used, on disk when it returns. The service key that has to be put into
  /// its place first, if any.
  private func prepare(
    _ temporary: String, _ backup: borrowing BackupReader
  ) throws(RegistryError) -> SecretOctets? {
    let installed: SecretOctets?
    do {
      let database = try Database(path: temporary, mode: .readWrite, busyTimeoutMilliseconds: 0)
      try database.execute(
        "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")
      let migrator = Migrator(migrations: Schema.migrations)
      guard try migrator.version(of: database) == backup.contents.schema else {
        throw RegistryError.backup(.malformedManifest, path: backup.path)
      }
      let verdict = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
      guard verdict == "ok" else { throw RegistryError.damaged(backup.path) }
      try migrator.expectWhole(database, at: backup.path)
      installed = try fitKey(database, backup)
      try migrator.migrate(database)
      try database.transaction { () throws(RegistryError) in
        try database.beginEpochs(random: random)
        if revokesTokens { try database.revokeEverybody(at: at) }
      }
      // Once here, and no opening has to wait for the lock that it needs.
      _ = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    }
    // Closing the last connection has moved the log into the file.
    try DataFile(reading: temporary).synchronize()
    return installed
  }

  /// Sees to it that the service key of this machine opens the store; the key to be installed where there is none.
  private func fitKey(
    _ database: Database, _ backup: borrowing BackupReader
  ) throws(RegistryError) -> SecretOctets? {
    let local = try localKey()
    if let local, database.isOpened(by: local) { return nil }
    guard let sealing = backup.manifest.part(.serviceKey)?.sealing else {
      throw .serviceKeyUnusable(Self.missing(hasLocal: local != nil, keySource))
    }
    guard let passphrase = passphrase() else { throw .backup(.passphraseMissing, path: backup.path) }
    var octets: [UInt8] = []
    try backup.read(.serviceKey) { piece throws(RegistryError) in octets += piece }
    guard let key = try SealedServiceKey.open(octets, passphrase: passphrase, sealing) else {
      throw .backup(.wrongPassphrase, path: backup.path)
    }
    let dataKey = try database.dataKey(serviceKey: key)
    guard let local else { return key }
    try database.setDataKey(WrappedDataKey.wrap(dataKey, serviceKey: local, random: random))
    return nil
  }

  /// The key of this machine; nil where it is a file that is not there.
  private func localKey() throws(RegistryError) -> SecretOctets? {
    if case .file(let path) = keySource, try !ServiceKeyFile.exists(path) { return nil }
    return try keySource.load()
  }

  private static func missing(hasLocal: Bool, _ source: ServiceKeySource) -> String {
    let remedy = "put the key that belongs to the backup in its place, or name it with WAKE_SERVICE_KEY_FILE"
    if case .file(let path) = source, !hasLocal {
      return "the service key is not in the backup, and there is none at \(path): \(remedy)"
    }
    return "the service key is not in the backup, and the one here does not open it: \(remedy)"
  }
}

/// What came of a restoration.
package struct RestoredStore: Sendable {
  package let contents: BackupContents
  /// Where the store lies that was there before, if any.
  package let aside: String?
  /// Whether the service key came from the backup, because there was none.
  package let didInstallKey: Bool
}
