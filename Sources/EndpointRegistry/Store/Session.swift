internal import CryptoPrimitives

/// What a job works with: one connection, the store's keys and its randomness. It never leaves its thread.
struct Session {
  /// The connection of the thread that runs the job.
  let database: Database
  /// The store's keys.
  let keys: StoreKeys
  /// For ids, tokens and nonces.
  let random: RandomOctets

  /// Octets of a page cache: 16 MiB holds the upper levels of every index of a million devices.
  private static let cacheKibibytes = 16_384

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
      PRAGMA cache_size = -\(cacheKibibytes);
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
