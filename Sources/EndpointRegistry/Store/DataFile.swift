internal import Glibc

/// Owns one file descriptor of a file that is read or written from one end to the other.
struct DataFile: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// Opens a regular file; `EINVAL` for anything else.
  init(reading path: String) throws(RegistryError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw StoreFile.failure(errno, path) }
    guard try status().st_mode & S_IFMT == S_IFREG else { throw .file(errorNumber: EINVAL, path: path) }
  }

  /// Makes a file of mode 0600, in the place of one that a process that was killed has left.
  init(making path: String) throws(RegistryError) {
    StoreFile.remove(path)
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreFile.failure(errno, path) }
  }

  /// Opens or makes a file of mode 0600 that one process at a time may hold; nil where another one does.
  init?(holding path: String) throws(RegistryError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreFile.failure(errno, path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    // Whoever held it before may have given the file another name, or taken it away.
    var named = stat()
    guard unsafe stat(path, &named) == 0, try status().st_ino == named.st_ino else { return nil }
    // A file system without modes refuses; whoever mounts one has chosen who reads it.
    _ = fchmod(descriptor, 0o600)
    guard ftruncate(descriptor, 0) == 0 else { throw StoreFile.failure(errno, path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private func status() throws(RegistryError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw StoreFile.failure(errno, path) }
    return status
  }

  /// Octets in the file.
  func length() throws(RegistryError) -> Int64 { Int64(try status().st_size) }

  /// Goes on from `offset`.
  func seek(to offset: Int64) throws(RegistryError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw StoreFile.failure(errno, path) }
  }

  /// The next octets: `count`, or fewer at the end.
  func read(_ count: Int) throws(RegistryError) -> [UInt8] {
    var failure: Int32 = 0
    let octets = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < buffer.count {
        let got = unsafe Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard failure == 0 else { throw StoreFile.failure(failure, path) }
    return octets
  }

  /// Writes all of `octets`.
  func write(_ octets: [UInt8]) throws(RegistryError) {
    let number = StoreFile.write(octets, to: descriptor)
    guard number == 0 else { throw StoreFile.failure(number, path) }
  }

  /// Waits until the octets are on disk.
  func synchronize() throws(RegistryError) {
    guard fsync(descriptor) == 0 else { throw StoreFile.failure(errno, path) }
  }
}
