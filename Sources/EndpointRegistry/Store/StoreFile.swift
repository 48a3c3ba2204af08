internal import Glibc

/// The file of a store, as the file system sees it.
enum StoreFile {
  /// Whether something with content is at `path`. An empty file is what a first start leaves that was ended at once.
  static func exists(at path: String) throws(RegistryError) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let errorNumber = errno
      guard errorNumber == ENOENT || errorNumber == ENOTDIR else {
        throw .file(errorNumber: errorNumber, path: path)
      }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAStore(path) }
    return status.st_size > 0
  }

  /// Makes an empty file of mode 0600 and, where they are missing, its folders of mode 0700, whatever the umask is.
  /// SQLite gives its own files beside it (`-wal`, `-shm`) the mode of this one. A file that is there stays as it is.
  static func create(at path: String) throws(RegistryError) {
    try createFolder(FilePath.folder(of: path))
    let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      let errorNumber = errno
      if errorNumber == EEXIST { return }
      throw failure(errorNumber, path)
    }
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

  private static func failure(_ errorNumber: Int32, _ path: String) -> RegistryError {
    errorNumber == ENOSPC || errorNumber == EDQUOT
      ? .storageFull : .file(errorNumber: errorNumber, path: path)
  }
}
