internal import Glibc

extension ListenSocket {
  /// Listens at a path that only the owner can reach: the file has mode 0600 from its first moment.
  ///
  /// A socket that nobody listens on any more is replaced; a live one, or a file that is no socket, is left alone. The
  /// folder is locked meanwhile, so that of two programs that start at once one finds the other's socket alive.
  static func unix(path: String) throws(HTTPListenerError) -> ListenSocket {
    guard path.utf8.count <= ListenAddress.pathOctets else {
      throw .invalidAddress("the path of a Unix socket has at most \(ListenAddress.pathOctets) octets")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    let lock = try SystemCall.check("open \(folder)", unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(lock) }
    try SystemCall.check("flock \(folder)", flock(lock, LOCK_EX))

    try UnixSocketFile.removeStale(path)
    let descriptor = try UnixSocketFile.newDescriptor()
    do throws(HTTPListenerError) {
      // Linux gives the file the mode of the socket, less the umask: nobody else can get in between bind and chmod.
      try SystemCall.check("fchmod", fchmod(descriptor, S_IRUSR | S_IWUSR))
      try SystemCall.check(
        "bind \(path)", unsafe UnixSocketFile.with(path) { unsafe bind(descriptor, $0, $1) })
      try SystemCall.check("chmod \(path)", unsafe chmod(path, S_IRUSR | S_IWUSR))
      try SystemCall.check("listen", listen(descriptor, HTTPLimits.backlog))
      let file = try UnixSocketFile(at: path)
      return ListenSocket(takingOwnershipOf: descriptor, address: .unix(path: path), file: file)
    } catch {
      close(descriptor)
      throw error
    }
  }
}
