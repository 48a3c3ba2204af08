internal import Glibc

/// Owns the right to change the service key in one folder: one process at a time has it, and the system takes it back
/// when that ends, however.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits while another process has it; that is about as long as a commit takes.
  init(folderOf path: String) throws(RegistryError) {
    let folder = FilePath.folder(of: path)
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreFile.failure(errno, folder) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw StoreFile.failure(errno, folder) }
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
