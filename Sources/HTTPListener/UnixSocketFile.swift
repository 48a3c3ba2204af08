internal import Glibc

/// The file of a Unix socket that we made, known by device and inode: a later file of the same name is not ours.
struct UnixSocketFile: Sendable, Equatable {
  let path: String
  private let device: UInt
  private let inode: UInt

  /// The socket that stands at the path now.
  init(at path: String) throws(HTTPListenerError) {
    var status = stat()
    try SystemCall.check("stat \(path)", unsafe lstat(path, &status))
    self.path = path
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }

  /// Removes the file, unless another has taken its place.
  func remove() {
    guard let present = try? UnixSocketFile(at: path), present == self else { return }
    _ = unsafe unlink(path)
  }

  /// Removes a socket that no process listens on. Throws where there is a live one, or a file of another type.
  static func removeStale(_ path: String) throws(HTTPListenerError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .system(operation: "stat \(path)", code: errno) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = try newDescriptor()
    defer { close(probe) }
    let result = unsafe with(path) { unsafe connect(probe, $0, $1) }
    // EAGAIN: somebody listens, but is slow to accept.
    guard result != 0, errno == ECONNREFUSED else { throw .addressInUse("unix:\(path)") }
    try SystemCall.check("unlink \(path)", unsafe unlink(path))
  }

  /// A new socket, close-on-exec and non-blocking.
  static func newDescriptor() throws(HTTPListenerError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return try SystemCall.check("socket", socket(AF_UNIX, type, 0))
  }

  /// Calls `body` with the path as a socket address; the path's length was checked.
  static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (offset, octet) in path.utf8.prefix(place.count - 1).enumerated() { unsafe place[offset] = octet }
    }
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
