/// Cuts a stream of octets into lines that end in LF, bounded.
struct LineReader: Sendable {
  struct TooLong: Error {}

  /// Octets of the longest line.
  let lengthMaximum: Int
  private var line: [UInt8] = []

  init(lengthMaximum: Int) { self.lengthMaximum = lengthMaximum }

  /// The lines that became complete with these octets, without their LF and without empty ones.
  mutating func read(_ octets: [UInt8]) throws(TooLong) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for octet in octets {
      if octet == UInt8(ascii: "\n") {
        if !line.isEmpty { lines.append(line) }
        line = []
      } else {
        guard line.count < lengthMaximum else { throw TooLong() }
        line.append(octet)
      }
    }
    return lines
  }
}
