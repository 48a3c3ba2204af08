import Glibc
import WakeServer

/// A new file of mode 0600 that a report goes into.
enum ReportFile {
  /// Refuses a name that cannot become a report's, before there is one.
  static func check(_ path: String) throws(CommandError) {
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else { throw taken(path) }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard errno == ENOENT, unsafe access(folder, W_OK | X_OK) == 0 else {
      throw .failed("\(path) cannot be made: \(String(errno: errno))")
    }
  }

  private static func taken(_ path: String) -> CommandError {
    .failed("\(path) is there already; choose another name")
  }

  /// Refuses a name that is taken, whatever it leads to.
  static func write(_ text: String, to path: String) throws(CommandError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      throw number == EEXIST ? taken(path) : .failed("\(path) cannot be made: \(String(errno: number))")
    }
    defer { close(descriptor) }
    // Whatever the umask is.
    _ = fchmod(descriptor, 0o600)
    do throws(FileHandleOutput.Failed) { try FileHandleOutput(descriptor: descriptor).write(text) } catch {
      unsafe unlink(path)
      throw .failed("\(path) cannot be written: \(String(errno: error.number))")
    }
  }
}
