import Foundation
import Glibc
import TestSupport

extension Program {
  /// Runs it to its end with a terminal of its own as standard output, and reads what arrives there.
  func run(columns: UInt16, lines: UInt16) async throws -> Ended {
    let files = try TemporaryFolder()
    defer { files.remove() }
    let errors = try files.newFile("errors")
    var (reading, writing): (Int32, Int32) = (-1, -1)
    // Rows and columns of `struct winsize`, ioctl_tty(2).
    var size: [UInt16] = [lines, columns, 0, 0]
    guard openpty(&reading, &writing, nil, nil, nil) == 0, ioctl(writing, UInt(TIOCSWINSZ), &size) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    let ours = reading
    defer { close(ours) }
    let nothing = open("/dev/null", O_RDONLY)
    let child = Result { try Child(self, input: nothing, output: writing, errors: errors.fileDescriptor) }
    close(nothing)
    close(writing)
    let output = try await onOwnThread { Self.everything(from: ours) }
    let exitCode = await (try child.get()).exitCode()
    return Ended(exitCode: exitCode, output: output, errors: try files.text("errors"))
  }

  /// Reads until the other side is closed: a terminal says so with an error (EIO).
  private static func everything(from descriptor: Int32) -> String {
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: octets, as: UTF8.self) }
      octets += buffer[..<count]
    }
  }
}
