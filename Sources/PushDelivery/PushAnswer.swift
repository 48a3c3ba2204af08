/// What came of one attempt, for its row.
package struct PushAnswer: Sendable, Equatable {
  /// What it comes to.
  package var outcome: PushOutcome
  /// The status of the push server's final answer; nil where none came.
  package var status: Int?
  /// Why, in words for the operator: the push server's own (the endpoint masked) or ours. Printable, at most
  /// `PushReason.lengthMaximum` characters; nil for an accepted wake.
  package var reason: String?
  /// From the start of the attempt to its end, name resolution included, waiting for its turn not.
  package var milliseconds: Int
  /// The pause that the push server asked for, 0…86,400; nil where it named none that can be read.
  package var retryAfterSeconds: Int?
  /// The pause that begins with this answer, where it is `throttled`.
  package var hold: PushHold?
  /// When the pause ends for which a wake that is `held` was not sent, in milliseconds since 1970.
  package var heldUntil: Int64?
  /// The `Date` of the push server's answer as it came, at most 256 octets; nil where it said none.
  package var date: String?
  /// What program the push server is, as its answer shows; looked for only where somebody waits for it.
  package var server: PushServerKind?

  /// Whether its body is a page for a browser; looked for only where somebody waits for it.
  package var isPage = false

  /// An answer of these parts; ``hold``, ``date`` and ``server`` begin as nil.
  package init(
    outcome: PushOutcome, status: Int? = nil, reason: String? = nil, milliseconds: Int = 0,
    retryAfterSeconds: Int? = nil, heldUntil: Int64? = nil
  ) {
    self.outcome = outcome
    self.status = status
    self.reason = reason
    self.milliseconds = milliseconds
    self.retryAfterSeconds = retryAfterSeconds
    self.heldUntil = heldUntil
  }

  /// An answer that never came, and why.
  package init(outcome: PushOutcome, reason: NetworkReason) {
    self.init(outcome: outcome, reason: reason.rawValue)
  }
}
