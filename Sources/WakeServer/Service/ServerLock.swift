internal import EndpointRegistry
internal import Glibc

/// The right to serve one store: held by one process, and let go by the system when it ends, however.
final class ServerLock: Sendable {
  private let descriptor: Int32

  /// How long a command waits for another one that is leading the store to a new schema.
  static let migrationMilliseconds = 5_000
  /// How long a server waits for such a command, before it says that there is another server.
  static let commandMilliseconds = 2_000
  private static let pollMilliseconds = 50

  /// - Parameter waiting: for how long it may be held by somebody else.
  /// - Throws: ``ServiceError/inUse(_:)`` where another server holds it, ``ServiceError/store(_:)`` where its file cannot be
  ///   used.
  init(at path: String, waiting milliseconds: Int = 0) throws(ServiceError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, Self.mode)
    guard descriptor >= 0 else {
      let errorNumber = errno
      throw .store(errorNumber == EROFS ? .readOnly(path) : .file(errorNumber: errorNumber, path: path))
    }
    var left = milliseconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard left > 0 else { throw .inUse(path) }
      usleep(UInt32(Self.pollMilliseconds * 1_000))
      left -= Self.pollMilliseconds
    }
  }

  /// Of one that was refused too: it is an object from the moment at which its descriptor is known.
  deinit { if descriptor >= 0 { close(descriptor) } }

  private static let mode: mode_t = 0o600
}
