/// Some of a stack's alerts, oldest first.
package struct AlertPage: Sendable, Equatable {
  /// The alerts, in the order of their numbers.
  package let alerts: [Alert]
  /// The last one's id where more follow, the cursor for the next page; nil at the end.
  package let next: AlertID?
  /// Why reading did not start where the cursor said, or nil.
  package let gap: AlertGap?

  /// All members, for stores and tests.
  package init(alerts: [Alert], next: AlertID?, gap: AlertGap?) {
    self.alerts = alerts
    self.next = next
    self.gap = gap
  }
}
