internal import Glibc

/// What changes when a file is written again or another takes its name: where it lies, how long it is, and when it was
/// written last.
struct FileMark: Sendable, Equatable {
  private let device: UInt
  private let inode: UInt
  private let octets: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Follows links, since the names in a folder of an ACME client are links; nil where there is no file.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode, octets) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
