/// Which attempts are wanted; what is nil does not narrow.
package struct AttemptFilter: Sendable, Equatable {
  /// Of one stack.
  package var stack: StackID?
  /// To one device.
  package var device: DeviceID?
  /// With one outcome.
  package var outcome: AttemptOutcome?
  /// Begun at this time or later.
  package var since: Int64?

  /// All members.
  package init(
    stack: StackID? = nil, device: DeviceID? = nil, outcome: AttemptOutcome? = nil, since: Int64? = nil
  ) {
    self.stack = stack
    self.device = device
    self.outcome = outcome
    self.since = since
  }
}
