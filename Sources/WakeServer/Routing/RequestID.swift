package import CryptoPrimitives
package import HTTPListener

/// The name of one request, by which its answer and its lines in the log are found: the client's own, or one of ours.
package struct RequestID: Sendable, Equatable {
  /// The header field, in requests and answers.
  package static let field = "X-Request-Id"
  /// What it is called in lines of the log.
  static let logField = "requestId"
  /// Octets of a client's own: a UUID, or two with what stands around them.
  package static let octetsMaximum = 64
  /// Random octets of ours.
  private static let octets = 8

  package let text: String

  /// The request's own name, where it has one that may stand in a log; otherwise a new one.
  package init(of request: HTTPRequest, _ random: RandomOctets) {
    let given = request.values(of: Self.field)
    self = given.count == 1 ? Self(given[0]) ?? Self(minted: random) : Self(minted: random)
  }

  /// A new name.
  package init(minted random: RandomOctets) { text = Hex.encode(random(Self.octets)) }

  /// Letters, digits, `-` and `.`; nil where it is anything else. There is no `_`, so that no token of ours, each of
  /// which has one, ever gets into a log this way.
  package init?(_ text: String) {
    guard (1...Self.octetsMaximum).contains(text.utf8.count), text.utf8.allSatisfy(Self.isTaken) else {
      return nil
    }
    self.text = text
  }

  private static func isTaken(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
