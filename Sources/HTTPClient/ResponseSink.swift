/// What comes back during one transfer: filled by libcurl's callbacks on the thread that runs the transfer.
final class ResponseSink {
  private(set) var headers: [(name: String, value: String)] = []
  private(set) var body: [UInt8] = []
  private(set) var overflowed = false
  private var headLength = 0
  private let bodyLengthMaximum: Int
  /// Room for any sane head; beyond it the answer counts as too large.
  private let headLengthMaximum = 65_536

  init(bodyLengthMaximum: Int) { self.bodyLengthMaximum = bodyLengthMaximum }

  /// Takes one line of a head; false stops the transfer.
  func takeHeaderLine(_ octets: UnsafeRawBufferPointer) -> Bool {
    headLength += octets.count
    guard headLength <= headLengthMaximum else {
      overflowed = true
      return false
    }
    let line = unsafe String(decoding: octets, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // A new head: what an interim answer (1xx) said is not the answer's.
      headers = []
      return true
    }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...]
    headers.append((name: String(line[..<colon]), value: Self.trimmed(value)))
    return true
  }

  /// Takes a part of the body; false stops the transfer.
  func takeBody(_ octets: UnsafeRawBufferPointer) -> Bool {
    guard body.count + octets.count <= bodyLengthMaximum else {
      overflowed = true
      return false
    }
    unsafe body.append(contentsOf: octets)
    return true
  }

  private static func trimmed(_ value: Substring) -> String {
    var value = value
    while let last = value.unicodeScalars.last, last.properties.isWhitespace {
      value.unicodeScalars.removeLast()
    }
    while let first = value.unicodeScalars.first, first.properties.isWhitespace {
      value.unicodeScalars.removeFirst()
    }
    return String(value)
  }
}
