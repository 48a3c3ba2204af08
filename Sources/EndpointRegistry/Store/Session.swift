internal import CryptoPrimitives

/// What a job works with: one connection, the store's keys and its randomness. It never leaves its thread.
struct Session {
  /// The connection of the thread that runs the job.
  let database: Database
  /// The store's keys.
  let keys: StoreKeys
  /// For ids, tokens and nonces.
  let random: RandomOctets

  /// Page caches, in KiB: 16 MiB hold the upper levels of every index of a million devices, and readers, of which
  /// there are several, do with half of it.
  private static let writerCacheKibibytes = 16_384
  private static let readerCacheKibibytes = 8_192
  /// Pages of the log after which they are moved into the file: 64 MiB, in which pages that change often are
  /// written many times and moved once. A fifth less work for each registration than with 16.
  private static let checkpointPages = 16_384
  /// SQLite's page size, which we leave as it is.
  private static let pageOctets = 4_096

  /// Opens a connection for a thread. One that `isReader` refuses to change anything.
  static func open(
    path: String, keys: StoreKeys, random: RandomOctets, options: StoreOptions, isReader: Bool
  ) throws(RegistryError) -> Session {
    let database = try Database(
      path: path, mode: .readWrite, busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
    try database.execute(
      """
      PRAGMA trusted_schema = OFF;
      PRAGMA foreign_keys = ON;
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -\(isReader ? readerCacheKibibytes : writerCacheKibibytes);
      PRAGMA wal_autocheckpoint = \(checkpointPages);
      PRAGMA journal_size_limit = \(checkpointPages * pageOctets);
      """)
    if isReader { try database.execute("PRAGMA query_only = ON") }
    return Session(database: database, keys: keys, random: random)
  }

  /// Several reads of one moment.
  func snapshot<Value>(
    _ body: () throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    try database.transaction("BEGIN DEFERRED", body)
  }
}
