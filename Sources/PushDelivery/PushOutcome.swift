/// What one attempt to send a wake came to.
package enum PushOutcome: String, Sendable, CaseIterable {
  /// The push server took it: any 2xx.
  case accepted
  /// The subscription is no more: 404 or 410.
  case gone
  /// The push server asks for a pause.
  case throttled
  /// Nobody listens at present: 507.
  case unsubscribed
  /// The push server refuses us, which is a fault of configuration.
  case refused
  /// The body is too long for it: 413.
  case oversize
  /// Any other 4xx.
  case rejected
  /// 3xx, which is never followed.
  case redirected
  /// Any other 5xx, and statuses that HTTP does not know.
  case server
  /// No answer: name resolution, connection, TLS, timeout, reset.
  case network
  /// The address policy forbids it; nothing was sent.
  case blocked
  /// The sender was ended before an answer came: the wake may have gone out, and is never sent again.
  case unknown
  /// Nothing was sent: the push server asked for a pause, which is not over.
  case held
  /// Nothing was sent: too much waits already, for this push server or in all.
  case crowded

  /// The outcome of a final answer: the first row of the table that matches.
  ///
  /// `hasRetryAfter`: a `Retry-After` field came with it, whatever its value. `bodySpeaksOfVAPID`: the body
  /// names the key or token of the application server. A status outside 200…599 counts as 5xx
  /// (RFC 9110 §15).
  package init(status: Int, hasRetryAfter: Bool, bodySpeaksOfVAPID: Bool) {
    self =
      switch (status, hasRetryAfter, bodySpeaksOfVAPID) {
      case (200..<300, _, _): .accepted
      case (404, _, _), (410, _, _): .gone
      case (429, _, _), (400..<600, true, _): .throttled
      case (507, _, _): .unsubscribed
      case (401, _, _), (403, _, _), (400, _, true): .refused
      case (413, _, _): .oversize
      case (400..<500, _, _): .rejected
      case (300..<400, _, _): .redirected
      default: .server
      }
  }
}
