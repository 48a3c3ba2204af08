import Glibc
import WakeServer

/// The person at the terminal, where there is one.
enum Terminal {
  /// Whether somebody can be asked.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question on standard error; anything but a yes is a no.
  static func confirms(_ question: String) -> Bool {
    try? FileHandleOutput.standardError.write("\(question) [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
