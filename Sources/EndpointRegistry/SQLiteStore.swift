package import CryptoPrimitives
internal import Synchronization
internal import WebPushCrypto

/// The registry in one SQLite file, which several processes may have open at the same time: nothing of it is cached
/// that could go stale. Its work is done by one thread that writes and a few that read.
package final class SQLiteStore: RegistryStore {
  /// Where the file lies.
  package let path: String
  /// Whether opening made the store.
  package let didCreate: Bool

  /// The file that is open.
  let file: FileIdentity?
  let keys: StoreKeys
  let random: RandomOctets
  let vapidKeys = VAPIDKeyCache()
  private let integrity: StoreCheck
  let writer: StoreWriter
  let readers: StoreReaders

  /// Opens the store at the absolute `path`; with `create`, makes one where there is none. It waits for the disk, so
  /// it is called where that does no harm. A store that is refused is left untouched.
  package static func open(
    at path: String, serviceKey: SecretOctets, create: Bool, random: RandomOctets,
    options: StoreOptions = StoreOptions()
  ) throws(RegistryError) -> SQLiteStore {
    let prepared = try StorePreparation(
      path: path, serviceKey: serviceKey, create: create, random: random, options: options
    ).run()
    return try SQLiteStore(path: path, prepared, random: random, options: options)
  }

  private init(
    path: String, _ prepared: StorePreparation.Prepared, random: RandomOctets, options: StoreOptions
  ) throws(RegistryError) {
    self.path = path
    file = FileIdentity(of: path)
    let keys = prepared.keys
    self.keys = keys
    self.random = random
    didCreate = prepared.didCreate
    integrity = prepared.check
    writer = try StoreWriter(options: options) { () throws(RegistryError) in
      try Session.open(path: path, keys: keys, random: random, options: options, isReader: false)
    }
    readers = try StoreReaders(options: options) { () throws(RegistryError) in
      try Session.open(path: path, keys: keys, random: random, options: options, isReader: true)
    }
  }

  /// A read on one of the threads that read.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    try await readers.perform(work)
  }

  /// A change on the thread that writes, on disk when it returns.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    try await writer.perform(work)
  }

  /// The same for a change that follows from what was acknowledged, or takes something away: a full disk has room for it.
  func writeOwed<Value: Sendable>(
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    try await writer.perform(isOwed: true, work)
  }

  /// Returns once the whole file has been checked; `damaged`. Opening waits for the check of a store of usual size, and
  /// goes on before the end of that of a large one.
  package func checked() async throws(RegistryError) { try await integrity.finished() }

  /// One cheap read, and a sign of life from the writer.
  package func check() async throws(RegistryError) {
    _ = try await read { session throws(RegistryError) in
      try session.database.integer("SELECT id FROM store")
    }
    try await writer.perform(writes: false) { _ in }
  }

  /// Finishes what is queued, then lets go of the files.
  package func close() async {
    // The writer is the last: closing the last connection of all moves the log into the file.
    await readers.close()
    await writer.close()
  }
}
