/// What a device's state is derived from.
package struct DeliveryFacts: Sendable, Equatable {
  /// Whether there is an endpoint to push to.
  package var hasSubscription: Bool
  /// Whether the last endpoint was erased because the push server said that it is gone.
  package var isGone: Bool
  /// The outcome of the last completed attempt to the subscription in use.
  package var lastOutcome: AttemptOutcome?
  /// Whether a receipt came since the subscription in use was given.
  package var hasReceipt: Bool

  /// All members.
  package init(
    hasSubscription: Bool, isGone: Bool = false, lastOutcome: AttemptOutcome? = nil, hasReceipt: Bool = false
  ) {
    self.hasSubscription = hasSubscription
    self.isGone = isGone
    self.lastOutcome = lastOutcome
    self.hasReceipt = hasReceipt
  }
}
