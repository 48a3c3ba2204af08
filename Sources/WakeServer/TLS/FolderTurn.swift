internal import EndpointRegistry
internal import Glibc

/// The turn of one process among those that write the same few files of a folder; ends with the process at the latest.
struct FolderTurn {
  private let descriptor: Int32

  /// Waits until nobody else has the turn of the folder that `path` lies in.
  init(of path: String) throws(CertificateFileError) {
    let folder = FilePath.folder(of: path)
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(folder, fault: "cannot be opened: \(String(errno: errno))") }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw .file(folder, fault: "cannot be locked: \(String(errno: errno))")
      }
    }
  }

  /// Gives the turn back.
  func end() { close(descriptor) }
}
