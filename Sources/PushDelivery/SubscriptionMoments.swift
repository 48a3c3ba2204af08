/// Moments of a subscription, in a count of all changes of subscriptions.
package struct SubscriptionMoments: Sendable {
  /// When it was last changed.
  package let changed: Int64
  /// When it was read for a wake.
  package let read: Int64

  /// Both.
  package init(changed: Int64, read: Int64) {
    self.changed = changed
    self.read = read
  }
}
