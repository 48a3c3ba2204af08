internal import CSQLite
internal import Glibc

/// Room on the disk that the log of changes has to itself, so that what is owed can be written when the disk is full: whom
/// to wake for alerts that were acknowledged, what came of wakes, endpoints that are gone. Belongs to the thread that
/// writes.
final class LogReserve {
  /// Beyond the log's end: 2,000 pages. A commit takes ten or twenty, and holds up to 256 changes.
  private static let octets: off_t = 8 * 1_048_576
  /// With less room than this on the disk nothing new is begun: what one commit may take elsewhere, many times over.
  private static let roomMinimum: UInt64 = 1_048_576

  private let store: String
  private var log: Int32 = -1
  /// Up to where in the log there is room.
  private var end: off_t = 0

  /// - Parameter store: where the database lies; its log is beside it once it was used.
  init(ofStoreAt store: String) { self.store = store }

  deinit { if log >= 0 { close(log) } }

  /// Takes more room where the log has used up half of what it had. A file system that cannot do that gives none, and a
  /// full disk is then one for everybody.
  func keep() {
    if log < 0 { log = unsafe open("\(store)-wal", O_WRONLY | O_CLOEXEC) }
    var status = stat()
    guard log >= 0, unsafe fstat(log, &status) == 0, status.st_size + Self.octets / 2 > end else { return }
    // Not tried again before the log has grown, whatever comes of it.
    end = status.st_size + Self.octets
    _ = wake_reserve_room(log, end)
  }

  /// Whether the disk has room for what is new.
  var hasRoom: Bool {
    var status = statvfs()
    // Some file systems do not know how large they are.
    guard unsafe statvfs(store, &status) == 0, status.f_blocks > 0 else { return true }
    let (octets, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow || octets >= Self.roomMinimum
  }
}
