internal import Glibc

/// The right to serve the file of a store, by whatever name: held on the file itself, which a hard link leads to as well.
///
/// ``ServerLock`` is found by the store's name. Two names of one file would be two locks, and two logs of SQLite, which
/// damage the file between them ("How To Corrupt An SQLite Database File", 2.5).
final class StoreFileLock: Sendable {
  private let descriptor: Int32

  /// Holds the file at `path`; nil where there is none, or it cannot be opened: whoever opens the store says why.
  ///
  /// It is made before the store is opened and let go of after it was closed: closing any descriptor of a file gives up
  /// the locks that this process has on it through another one, as SQLite has (`fcntl(2)`).
  ///
  /// - Throws: ``ServiceError/inUse(_:)`` where another server holds it.
  init?(of path: String) throws(ServiceError) {
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw .inUse(path) }
  }

  /// Whether a server holds the file. It must not be asked while this process has the store open, as closing gives up locks.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Also of one that was refused, once its descriptor is known.
  deinit { if descriptor >= 0 { close(descriptor) } }
}
