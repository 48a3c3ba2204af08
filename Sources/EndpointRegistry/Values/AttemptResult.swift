/// How an attempt ended.
package struct AttemptResult: Sendable, Equatable {
  /// The attempt.
  package var id: AttemptID
  /// What came of it.
  package var outcome: AttemptOutcome
  /// The push server's status, where one came.
  package var status: Int?
  /// A safe sentence for the operator.
  package var reason: String?
  /// How long it took.
  package var milliseconds: Int
  /// What it changes about pauses; nil where it changes nothing.
  package var hold: HoldChange?
  /// The endpoint that it found gone; nil where it found none.
  package var erasure: Erasure?

  /// All members.
  package init(
    id: AttemptID, outcome: AttemptOutcome, status: Int? = nil, reason: String? = nil, milliseconds: Int,
    hold: HoldChange? = nil, erasure: Erasure? = nil
  ) {
    self.id = id
    self.outcome = outcome
    self.status = status
    self.reason = reason
    self.milliseconds = milliseconds
    self.hold = hold
    self.erasure = erasure
  }
}
