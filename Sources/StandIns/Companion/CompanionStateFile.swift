internal import Glibc
internal import WakeServer

/// The file of a companion's state: mode 0600, since it holds tokens and keys, and at any moment whole.
package struct CompanionStateFile: Sendable {
  package let path: String

  /// Octets of a file that is read: two thousand stacks.
  static let lengthMaximum = 4 * 1_048_576

  package init(path: String) { self.path = path }

  /// The state in the file; `fileMissing` where there is none.
  package func load() throws(CompanionError) -> CompanionState {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw errno == ENOENT ? .fileMissing(path: path) : failure("opened") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .fileDamaged(path: path)
    }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
      throw .file("\(path) holds tokens and keys, and others can read it: chmod 600 \(path)")
    }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count <= Self.lengthMaximum {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { break }
      octets += buffer.prefix(count)
    }
    guard let state = CompanionState(octets) else { throw .fileDamaged(path: path) }
    return state
  }

  /// Puts the state in the file's place: whoever reads it, after whatever end of this process, finds the old one or
  /// the new one. It is on disk when this returns. The call blocks, and the file's turn must be ours.
  func save(_ state: CompanionState) throws(CompanionError) {
    let temporary = path + ".new"
    // One that is left over belongs to a process that was killed here.
    unsafe unlink(temporary)
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written") }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw failure("written") }
    do throws(FileHandleOutput.Failed) {
      try FileHandleOutput(descriptor: descriptor).write(state.octets)
    } catch {
      errno = error.number
      throw failure("written")
    }
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else { throw failure("written") }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folderDescriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folderDescriptor >= 0 else { throw failure("written") }
    defer { close(folderDescriptor) }
    guard fsync(folderDescriptor) == 0 else { throw failure("written") }
  }

  /// Holds the file until the turn is let go; `fileInUse` where another process holds it.
  func takeTurn() throws(CompanionError) -> Turn {
    let descriptor = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("locked") }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      close(descriptor)
      if number == EWOULDBLOCK { throw .fileInUse(path: path) }
      errno = number
      throw failure("locked")
    }
    return Turn(descriptor: descriptor)
  }

  /// The right to write the file; the system takes it back from a process that ends.
  final class Turn: Sendable {
    private let descriptor: Int32
    init(descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  private func failure(_ what: String) -> CompanionError {
    .file("\(path) cannot be \(what): \(unsafe String(cString: strerror(errno)))")
  }
}
