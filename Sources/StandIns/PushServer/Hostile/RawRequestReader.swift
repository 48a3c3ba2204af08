internal import HTTPListener

/// Reads requests from a connection by hand: as much of HTTP/1.1 as a sender of push messages uses.
struct RawRequestReader {
  /// Octets of a head, and of a body: what the service's own listener takes.
  static let headMaximum = 32_768
  static let bodyMaximum = 65_536

  private static let separator = Array("\r\n\r\n".utf8)
  private var pending: [UInt8] = []

  init() {}

  /// A head that has come, and how much of a body it announces.
  struct Head {
    var request: HTTPRequest
    /// Nil where it cannot be told, or is too long.
    let length: Int?
  }

  /// The next head; nil where the connection ends before it, or it is none.
  mutating func head(from connection: borrowing RawConnection) -> Head? {
    var searched = 0
    while true {
      let from = max(0, searched - Self.separator.count)
      if let end = pending[from...].firstRange(of: Self.separator) {
        let text = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeFirst(end.upperBound)
        return Self.head(text)
      }
      searched = pending.count
      guard pending.count < Self.headMaximum, let more = connection.read(4_096) else { return nil }
      pending += more
    }
  }

  /// The body that belongs to a head.
  mutating func body(_ length: Int, from connection: borrowing RawConnection) -> [UInt8]? {
    while pending.count < length {
      guard let more = connection.read(length - pending.count) else { return nil }
      pending += more
    }
    defer { pending.removeFirst(length) }
    return Array(pending[..<length])
  }

  private static func head(_ text: String) -> Head? {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else { return nil }
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((String(line[..<colon]), String(value)))
    }
    let request = HTTPRequest(method: String(words[0]), target: String(words[1]), headers: headers)
    let lengths = request.values(of: "Content-Length")
    let isPlain = lengths.count <= 1 && request.header("Transfer-Encoding") == nil
    let length = Int(lengths.first ?? "0").flatMap { (0...bodyMaximum).contains($0) ? $0 : nil }
    return Head(request: request, length: isPlain ? length : nil)
  }
}
