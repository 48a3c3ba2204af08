internal import Synchronization

/// What one server holds for as long as it works on a store: the name of the store, and its file.
final class ServerLocks: Sendable {
  private let path: String
  private let name: ServerLock
  /// Nil until there is a file.
  private let file: Mutex<StoreFileLock?>

  /// - Throws: ``ServiceError/inUse(_:)`` where another server works on the store, by this name of it or another.
  init(_ configuration: Configuration) throws(ServiceError) {
    path = configuration.databasePath
    name = try ServerLock(at: configuration.lockPath, waiting: ServerLock.commandMilliseconds)
    file = Mutex(try StoreFileLock(of: path))
  }

  /// Holds the file too where it was not there before; to be called once the store is open.
  func holdNewStore() throws(ServiceError) {
    try file.withLock { file throws(ServiceError) in
      if file == nil { file = try StoreFileLock(of: path) }
    }
  }
}
