internal import Glibc

/// Which file has a name now: what stays the same while it is written to, and differs where another takes its name.
struct FileIdentity: Sendable, Equatable {
  private let device: UInt
  private let inode: UInt

  /// Follows links; nil where there is no file.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
