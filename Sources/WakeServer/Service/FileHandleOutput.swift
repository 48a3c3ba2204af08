internal import Glibc

/// Writes whole texts to a file descriptor of the process.
package struct FileHandleOutput: Sendable {
  private let descriptor: Int32

  package static let standardOutput = FileHandleOutput(descriptor: STDOUT_FILENO)
  package static let standardError = FileHandleOutput(descriptor: STDERR_FILENO)

  /// The reader went away, or the disk behind it is full.
  package struct Failed: Error {}

  /// Writes all of `text`, however many calls that takes.
  package func write(_ text: String) throws(Failed) {
    var octets = Array(text.utf8)[...]
    while !octets.isEmpty {
      let written = unsafe octets.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw Failed() }
      octets = octets.dropFirst(written)
    }
  }
}
