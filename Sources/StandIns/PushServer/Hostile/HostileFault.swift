/// What a push server can do to a sender that no HTTP library would.
package enum HostileFault: String, Sendable, CaseIterable {
  case silent
  case trickle
  case stall
  case endlessBody = "endless-body"
  case endlessHeaders = "endless-headers"
  case gzipBomb = "gzip-bomb"
  case hintFlood = "hint-flood"
  case redirectLoop = "redirect-loop"
  case garbage
  case goaway
  case cut
  case reset
  case earlyClose = "early-close"
  case earlyAnswer = "early-answer"

  /// The fault that a path asks for: the first of its parts that is a fault's name, alone or before a `-`.
  package init?(askedForBy path: String) {
    for part in path.split(separator: "/") {
      guard let named = Self.allCases.first(where: { PushServerCondition.asks(part, for: $0.rawValue) })
      else {
        continue
      }
      self = named
      return
    }
    return nil
  }

  /// What happens, for the list of faults.
  package var summary: String {
    switch self {
    case .silent: "takes the request and says nothing"
    case .trickle: "answers, an octet at a time, and never ends"
    case .stall: "promises a body in its head, and sends none"
    case .endlessBody: "answers 201 with a body that does not end"
    case .endlessHeaders: "answers 201 with header fields that do not end"
    case .gzipBomb: "answers 201 with a mebibyte of gzip that holds 158 of zeros"
    case .hintFlood: "sends 103 Early Hints without end"
    case .redirectLoop: "answers 307 to itself"
    case .garbage: "answers with octets that are no HTTP"
    case .goaway: "answers with HTTP/2 frames: SETTINGS and GOAWAY"
    case .cut: "closes in the middle of the body"
    case .reset: "resets the connection instead of answering"
    case .earlyClose: "closes when it has seen the head"
    case .earlyAnswer: "answers 201 when it has seen the head, and closes"
    }
  }

  /// Whether it happens when the head is there and the body is not.
  package var isBeforeTheBody: Bool { self == .earlyClose || self == .earlyAnswer }
}
