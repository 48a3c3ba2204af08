internal import Glibc

/// Owns one file descriptor of a key file.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Opens what is at `path`. A pipe that nobody writes to does not hold it up.
  init(reading path: String) throws(RegistryError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw ServiceKeyFile.unreadable(path, errno) }
  }

  /// Makes a file of mode 0600, whatever the umask is; nothing may be there.
  init(creating path: String) throws(RegistryError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      throw ServiceKeyFile.unreadable(path, errno)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// What the file is; `serviceKeyUnusable` for anything but a regular one.
  func status() throws(RegistryError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw ServiceKeyFile.unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .serviceKeyUnusable("the service key \(path) is not a regular file")
    }
    return status
  }

  /// The content, or as much as tells that it is too long for a key.
  func read() throws(RegistryError) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: ServiceKeyText.lengthMaximum + 1)
    while content.count <= ServiceKeyText.lengthMaximum {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ServiceKeyFile.unreadable(path, errno) }
      if count == 0 { break }
      content += buffer.prefix(count)
    }
    return content
  }

  /// Writes all of `octets` and waits for the disk.
  func write(_ octets: [UInt8]) throws(RegistryError) {
    let number = StoreFile.write(octets, to: descriptor)
    guard number == 0 else { throw ServiceKeyFile.unreadable(path, number) }
    guard fsync(descriptor) == 0 else { throw ServiceKeyFile.unreadable(path, errno) }
  }
}
