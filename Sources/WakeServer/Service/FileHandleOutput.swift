internal import Glibc

/// Writes whole to a file descriptor, which stays its owner's.
package struct FileHandleOutput: Sendable {
  private let descriptor: Int32

  package static let standardOutput = FileHandleOutput(descriptor: STDOUT_FILENO)
  package static let standardError = FileHandleOutput(descriptor: STDERR_FILENO)

  /// The reader went away, or the disk behind it is full; `errno` says which.
  package struct Failed: Error {
    package let number: Int32
  }

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all of `text`, however many calls that takes.
  package func write(_ text: String) throws(Failed) { try write(Array(text.utf8)) }

  /// Writes all of `octets`, however many calls that takes.
  package func write(_ octets: [UInt8]) throws(Failed) {
    var octets = octets[...]
    while !octets.isEmpty {
      let written = unsafe octets.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw Failed(number: errno) }
      octets = octets.dropFirst(written)
    }
  }
}
