/// What came of a wake, or why it was not sent; the raw values are the wire's.
package enum AttemptOutcome: String, Sendable, CaseIterable {
  case accepted, gone, throttled, unsubscribed, refused, oversize, rejected, redirected
  case server, network, blocked
  /// It may have gone out: begun and not completed.
  case unknown
  case muted, coalesced, held, stale
}
