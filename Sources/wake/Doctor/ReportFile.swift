import Glibc
import WakeServer

/// A new file of mode 0600 that a report goes into.
///
/// It is made before there is a report: nothing else tells for certain that it can be. Whoever breaks off removes it.
struct ReportFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Refuses a name that is taken, whatever it leads to.
  init(_ path: String) throws(CommandError) {
    guard !path.isEmpty else { throw .usage("--report needs the name of a new file") }
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      throw .failed(
        number == EEXIST
          ? "\(path) is there already; choose another name"
          : "\(path) cannot be made: \(String(errno: number))")
    }
    // Whatever the umask is.
    _ = fchmod(descriptor, 0o600)
  }

  /// Writes the whole, once; nothing is left where that fails.
  func write(_ text: String) throws(CommandError) {
    defer { close(descriptor) }
    do throws(FileHandleOutput.Failed) { try FileHandleOutput(descriptor: descriptor).write(text) } catch {
      remove()
      throw .failed("\(path) cannot be written: \(String(errno: error.number))")
    }
  }

  /// Takes it away again.
  func remove() { unsafe unlink(path) }

  /// Takes it away when a signal comes, and ends as by that signal; until the task is cancelled.
  func remove(at signals: AsyncStream<Int32>) -> Task<Void, Never> {
    Task {
      for await number in signals {
        remove()
        signal(number, SIG_DFL)
        // To the process: a thread of the pool blocks signals, and raise(3) would wait there for ever.
        kill(getpid(), number)
      }
    }
  }
}
