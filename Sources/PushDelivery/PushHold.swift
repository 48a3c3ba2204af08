/// A pause that a push server asked for (RFC 8030 §8.4, RFC 9110 §10.2.3). Times are of the wall clock, in milliseconds
/// since 1970.
package struct PushHold: Sendable, Equatable {
  /// Nothing goes to the endpoint before.
  package var until: Int64
  /// Refusals in a row that named no pause, this one included: the next such pause is twice as long.
  package var refusals: Int
  /// Nothing goes to the whole origin before; nil where the origin is not held.
  package var originUntil: Int64?

  /// All members.
  package init(until: Int64, refusals: Int, originUntil: Int64? = nil) {
    self.until = until
    self.refusals = refusals
    self.originUntil = originUntil
  }

  /// The pause where none is named, the first time.
  static let unnamedMilliseconds: Int64 = 60_000
  /// No pause is longer, whatever is asked for.
  static let maximumMilliseconds = Int64(RetryAfter.secondsMaximum) * 1_000
  /// One that seems to last longer by more than this was left behind by a clock that has been set since, and is void. A
  /// clock that is put right by minutes makes none void.
  static let clockMilliseconds: Int64 = 3_600_000
  /// A pause that nobody named gets up to this part of itself on top, so that senders do not come back all at once.
  static let jitterDivisor: Int64 = 4

  /// How long a pause is, in milliseconds: what was named, or a minute that doubles with each refusal in a row.
  ///
  /// A pause of nothing, or until a time that is past, is none that was named: whoever refuses wants one.
  /// `jitter` is 0 ..< 1.
  static func pause(namedSeconds: Int?, refusalsBefore: Int, jitter: Double) -> Int64 {
    if let namedSeconds, namedSeconds > 0 {
      return Int64(min(namedSeconds, RetryAfter.secondsMaximum)) * 1_000
    }
    // 2 to the 11th minutes are more than a day.
    let doublings = min(max(refusalsBefore, 0), 11)
    let pause = min(unnamedMilliseconds << Int64(doublings), maximumMilliseconds)
    return min(pause + Int64(Double(pause / jitterDivisor) * jitter), maximumMilliseconds)
  }

  /// Whether a pause until `end` is in effect at `now`.
  static func isInEffect(until end: Int64, at now: Int64) -> Bool {
    let (left, overflow) = end.subtractingReportingOverflow(now)
    return !overflow && left > 0 && left <= maximumMilliseconds + clockMilliseconds
  }
}
