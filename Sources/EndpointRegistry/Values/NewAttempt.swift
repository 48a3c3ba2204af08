/// An attempt that is about to be made, or one that will not be made and says why.
package struct NewAttempt: Sendable, Redacted {
  /// The stack whose wake it is.
  package var stack: StackID
  /// The device that is to be woken.
  package var device: DeviceID
  /// The first alert that it stands for.
  package var alertFirst: AlertID?
  /// The last alert that it stands for.
  package var alertLast: AlertID?
  /// How many alerts it stands for.
  package var alertCount: Int
  /// `w`, 22 characters, kept as a keyed digest alone; nil where nothing is sent.
  package var receipt: String?
  /// Origin of the push server.
  package var pushServer: String?
  /// What it is for.
  package var purpose: AttemptPurpose
  /// `unknown` until it is completed; `muted`, `coalesced`, `held` and `stale` are final at once.
  package var outcome: AttemptOutcome

  /// All members.
  package init(
    stack: StackID, device: DeviceID, alertFirst: AlertID? = nil, alertLast: AlertID? = nil,
    alertCount: Int = 0, receipt: String? = nil, pushServer: String? = nil, purpose: AttemptPurpose,
    outcome: AttemptOutcome = .unknown
  ) {
    self.stack = stack
    self.device = device
    self.alertFirst = alertFirst
    self.alertLast = alertLast
    self.alertCount = alertCount
    self.receipt = receipt
    self.pushServer = pushServer
    self.purpose = purpose
    self.outcome = outcome
  }
}
