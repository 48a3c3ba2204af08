/// What a device's state is derived from.
package struct DeliveryFacts: Sendable, Equatable {
  /// Whether there is an endpoint to push to.
  package var hasSubscription: Bool
  /// Whether the last endpoint was erased because the push server said that it is gone.
  package var isGone: Bool
  /// The outcome of the last completed attempt to the subscription in use; nil where a receipt came for it.
  package var lastOutcome: AttemptOutcome?
  /// Whether a receipt came since the subscription in use was given.
  package var hasReceipt: Bool
  /// Whether it has handed a receipt back at any time: its companion knows how to.
  package var hasEverAnswered: Bool
  /// Accepted wakes to the subscription in use since the last receipt.
  package var unanswered: Int
  /// When the first of them was begun.
  package var unansweredSince: Int64?
  /// The pauses that its push server asked for.
  package var hold: WakeHold

  /// All members.
  package init(
    hasSubscription: Bool, isGone: Bool = false, lastOutcome: AttemptOutcome? = nil, hasReceipt: Bool = false,
    hasEverAnswered: Bool = false, unanswered: Int = 0, unansweredSince: Int64? = nil,
    hold: WakeHold = WakeHold()
  ) {
    self.hasSubscription = hasSubscription
    self.isGone = isGone
    self.lastOutcome = lastOutcome
    self.hasReceipt = hasReceipt
    self.hasEverAnswered = hasEverAnswered
    self.unanswered = unanswered
    self.unansweredSince = unansweredSince
    self.hold = hold
  }

  /// Unanswered wakes in a row that make a device silent: fewer may be a phone that is switched off for a while.
  package static let silentWakes = 3
  /// How long ago the first of them has to have been begun: a night passes, and a battery is charged.
  package static let silentMilliseconds: Int64 = Retention.day
}
