internal import Glibc

/// The file of a store, as the file system sees it.
enum StoreFile {
  /// Whether there is a file at `path`; `notAStore` for anything that is no file.
  static func exists(at path: String) throws(RegistryError) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let errorNumber = errno
      guard errorNumber == ENOENT else { throw failure(errorNumber, path) }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAStore(path) }
    return true
  }

  /// Throws `readOnly` where the file at `path`, or its folder, may not be written: the log would have no place.
  static func expectWritable(_ path: String) throws(RegistryError) {
    for place in [path, FilePath.folder(of: path)] where unsafe access(place, W_OK) != 0 {
      let errorNumber = errno
      throw errorNumber == EROFS ? .readOnly(path) : failure(errorNumber, place)
    }
  }

  /// Whether the file at `path` has no octet.
  static func isEmpty(_ path: String) throws(RegistryError) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw failure(errno, path) }
    return status.st_size == 0
  }

  /// Whether anything is at `path`, a dangling link included.
  static func isTaken(_ path: String) throws(RegistryError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return true }
    let errorNumber = errno
    guard errorNumber == ENOENT else { throw failure(errorNumber, path) }
    return false
  }

  /// Writes all of `octets`, however many calls that takes; the system's error number, or 0.
  static func write(_ octets: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Whether a regular file, and no link to one, is at `path` and begins with these octets.
  static func isFile(_ path: String, beginningWith octets: [UInt8]) throws(RegistryError) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
      let errorNumber = errno
      if errorNumber == ELOOP || errorNumber == ENXIO { return false }
      throw failure(errorNumber, path)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var start = [UInt8](repeating: 0, count: octets.count)
    return unsafe read(file, &start, start.count) == start.count && start == octets
  }

  /// Makes an empty file of mode 0600 and, where they are missing, its folders of mode 0700, whatever the umask is.
  /// SQLite gives its own files beside it (`-wal`, `-shm`) the mode of this one. Nothing may be at `path`.
  static func create(at path: String) throws(RegistryError) {
    try createFolder(FilePath.folder(of: path))
    let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(errno, path) }
    defer { close(file) }
    guard fchmod(file, 0o600) == 0 else { throw failure(errno, path) }
  }

  /// Makes `folder` with mode 0700, and those above it that are missing; one that is there stays as it is.
  static func createFolder(_ folder: String) throws(RegistryError) {
    guard folder != "/", unsafe access(folder, F_OK) != 0 else { return }
    try createFolder(FilePath.folder(of: folder))
    guard unsafe mkdir(folder, 0o700) == 0 else {
      let errorNumber = errno
      if errorNumber == EEXIST { return }
      throw failure(errorNumber, folder)
    }
    guard unsafe chmod(folder, 0o700) == 0 else { throw failure(errno, folder) }
  }

  /// Gives the file at `temporary` the name `path` too, on disk when it returns; false where that name is taken.
  static func link(_ temporary: String, to path: String) throws(RegistryError) -> Bool {
    guard unsafe Glibc.link(temporary, path) == 0 else {
      let errorNumber = errno
      if errorNumber == EEXIST { return false }
      throw failure(errorNumber, path)
    }
    try synchronizeFolder(of: path)
    return true
  }

  /// Gives the file at `temporary` the name `path` in the place of `temporary`, and of what has it now; on disk when it
  /// returns. There is no moment at which nothing is at `path`.
  static func rename(_ temporary: String, to path: String) throws(RegistryError) {
    guard unsafe Glibc.rename(temporary, path) == 0 else { throw failure(errno, path) }
    try synchronizeFolder(of: path)
  }

  /// Waits until the names in the folder of `path` are on disk.
  static func synchronizeFolder(of path: String) throws(RegistryError) {
    let folder = FilePath.folder(of: path)
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno, folder) }
    defer { close(descriptor) }
    // A file system that cannot do this says EINVAL; there is then nothing to wait for.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(errno, folder) }
  }

  /// Takes a name away; one that is not there is as good.
  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  static func failure(_ errorNumber: Int32, _ path: String) -> RegistryError {
    errorNumber == ENOSPC || errorNumber == EDQUOT
      ? .storageFull : .file(errorNumber: errorNumber, path: path)
  }
}
