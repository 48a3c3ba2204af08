package import KindCatalogue

/// An alert as the core raises it.
package struct NewAlert: Sendable, Redacted {
  /// Which of the closed list.
  package var kind: Kind
  /// The core's own event kind.
  package var event: String?
  /// What the alert is about: with `moment`, its identity.
  package var ref: String?
  /// Where the event stands.
  package var moment: Moment?
  /// A JSON object for the companion, as compact text.
  package var alert: [UInt8]?
  /// Whether it wakes anybody; nil leaves that to the stack, whose quiet kinds do not.
  package var wakes: Bool?

  /// All members.
  package init(
    kind: Kind, event: String? = nil, ref: String? = nil, moment: Moment? = nil, alert: [UInt8]? = nil,
    wakes: Bool? = nil
  ) {
    self.kind = kind
    self.event = event
    self.ref = ref
    self.moment = moment
    self.alert = alert
    self.wakes = wakes
  }
}
