/// What a `RawServer` does with a request: octets as they stand, and what follows.
public struct RawAnswer: Sendable {
  /// What becomes of the connection.
  public enum Then: Sendable {
    /// It waits for the next request.
    case keep
    /// It is closed in order.
    case close
    /// It is reset: the other side sees `ECONNRESET`.
    case reset
    /// Nothing more comes until the server stops or the other side leaves.
    case silence
    /// The octets are sent again and again until the other side leaves.
    case repeatForever
    /// What the feed is given is sent when it is given, until it ends or the other side leaves.
    case feed(RawFeed)
  }

  /// The octets to send.
  public var octets: [UInt8]
  /// What becomes of the connection afterwards.
  public var then: Then

  /// Octets and what follows them.
  public init(octets: [UInt8], then: Then = .keep) {
    self.octets = octets
    self.then = then
  }

  /// Text as it stands (`\r\n` is the caller's business).
  public init(_ text: String, then: Then = .keep) {
    self.init(octets: Array(text.utf8), then: then)
  }

  /// A well-formed answer with a length.
  public static func status(
    _ status: Int, headers: [(String, String)] = [], body: String = "", then: Then = .keep
  ) -> RawAnswer {
    var text = "HTTP/1.1 \(status) Answer\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    return RawAnswer(text, then: then)
  }

  /// Nothing at all, with the connection left open.
  public static let silence = RawAnswer(octets: [], then: .silence)
}
