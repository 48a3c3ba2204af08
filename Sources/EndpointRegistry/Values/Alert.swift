package import KindCatalogue

/// One kept alert.
package struct Alert: Sendable, Equatable, Redacted {
  /// Its id.
  package let id: AlertID
  /// When it was recorded.
  package let at: Int64
  /// Which of the closed list.
  package let kind: Kind
  /// The core's own event kind.
  package let event: String?
  /// What the alert is about.
  package let ref: String?
  /// Where the event stands.
  package let moment: Moment?
  /// A JSON object for the companion, as compact text.
  package let alert: [UInt8]?
  /// Whether a sealed member could not be opened, and is nil for that reason.
  package let isFaulty: Bool

  /// All members, for stores and tests.
  package init(
    id: AlertID, at: Int64, kind: Kind, event: String?, ref: String?, moment: Moment?, alert: [UInt8]?,
    isFaulty: Bool = false
  ) {
    self.id = id
    self.at = at
    self.kind = kind
    self.event = event
    self.ref = ref
    self.moment = moment
    self.alert = alert
    self.isFaulty = isFaulty
  }
}
