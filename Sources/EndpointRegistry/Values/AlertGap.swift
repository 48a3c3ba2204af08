/// A cursor that could not be honoured: reading starts from the oldest that is kept.
package struct AlertGap: Sendable, Equatable {
  /// Why; the raw values are the wire's.
  package enum Reason: String, Sendable, CaseIterable {
    /// Alerts after it are no longer kept.
    case expired
    /// Its epoch is not this stack's.
    case unknown
    /// It is newer than the newest.
    case ahead
    /// It is no cursor.
    case malformed
  }

  /// Why.
  package let reason: Reason
  /// The oldest kept alert; nil where none is.
  package let oldest: AlertID?
  /// Where the stack's alerts stand.
  package let newest: AlertID

  /// All members, for stores and tests.
  package init(reason: Reason, oldest: AlertID?, newest: AlertID) {
    self.reason = reason
    self.oldest = oldest
    self.newest = newest
  }
}
