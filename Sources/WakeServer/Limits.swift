internal import EndpointRegistry

/// What a request may hold. Each number stands in the wire contract unless said otherwise.
package enum Limits {
  /// Octets of a request's body.
  package static let bodyOctets = 65_536
  /// Levels of objects and arrays in a body.
  package static let jsonDepth = 32
  /// Octets of an alert's `alert` in its compact form.
  package static let alertOctets = 16_384
  /// Octets of an alert's `event` and of its `ref`: ours, generous for a dotted name and for a URN.
  package static let eventOctets = 128
  package static let refOctets = 512
  /// Octets of a label: ours, a line on a screen.
  package static let labelOctets = 256
  /// Rows on a page.
  package static let pageRows = 200
  /// The longest window: a day. Ours; whoever wants to be woken less often mutes.
  package static let windowSeconds = 86_400
  /// How long a pairing code lives.
  package static let pairingMilliseconds: Int64 = 15 * 60 * 1_000
  /// What a stack keeps, as companions are told.
  package static let retentionAlerts = Int64(AlertRetention.alerts)
  package static let retentionSeconds = AlertRetention.seconds
}
