package import KindCatalogue

/// Some of a stack's devices that something is new to, or that wait for a window's end, in the order of their ids.
package struct PendingWakePage: Sendable {
  /// The devices.
  package let entries: [PendingWake]
  /// Where the next page begins; nil after the last one.
  package let next: DeviceID?
  /// The newest alert that was looked at. That of a fan-out's first page is what the fan-out completes: later pages may
  /// have looked at more, which the first one's devices have yet to be told of.
  package let newest: AlertID
  /// How long the stack's windows are: its own, or the rules'.
  package let windowMilliseconds: Int64
  /// The kinds of the waking alerts that were new to any of the devices, in list order.
  package let kinds: [Kind]
  /// How often it was changed who of the stack may be woken when: see `rules(of:)`.
  package let rules: Int64
}
