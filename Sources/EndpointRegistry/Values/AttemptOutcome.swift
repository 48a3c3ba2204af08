/// What came of a wake, or why it was not sent; the raw values are the wire's.
package enum AttemptOutcome: String, Sendable, CaseIterable {
  case accepted, gone, throttled, unsubscribed, refused, oversize, rejected, redirected
  case server, network, blocked
  /// It may have gone out: begun and not completed.
  case unknown
  case muted, coalesced, held, stale

  /// Whether it says how a wake that was tried fared: not one that was left out, nor one that nobody knows of.
  var isAnswer: Bool {
    switch self {
    case .accepted, .gone, .throttled, .unsubscribed, .refused, .oversize, .rejected, .redirected, .server,
      .network, .blocked:
      true
    case .unknown, .muted, .coalesced, .held, .stale: false
    }
  }
}
