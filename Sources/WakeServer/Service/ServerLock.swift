internal import Glibc

/// The right to serve one store: held by one process, and let go by the system when it ends, however.
final class ServerLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``ServiceError/inUse(_:)`` where another server holds it.
  init(at path: String) throws(ServiceError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, Self.mode)
    guard descriptor >= 0 else { throw .cannotStart("\(path) cannot be opened: \(String(errno: errno))") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .inUse(path)
    }
  }

  deinit { close(descriptor) }

  private static let mode: mode_t = 0o600
}
