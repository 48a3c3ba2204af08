/// The number of an attempt, store-wide and growing.
package typealias AttemptID = Int64

/// One row of what was sent, or was not.
package struct Attempt: Sendable, Equatable {
  /// Its number.
  package let id: AttemptID
  /// When it was begun.
  package let at: Int64
  /// The stack whose wake it was.
  package let stack: StackID
  /// The device, which may have been removed since.
  package let device: DeviceID
  /// The first alert that it stands for.
  package let alertFirst: AlertID?
  /// The last alert that it stands for.
  package let alertLast: AlertID?
  /// How many alerts it stands for.
  package let alertCount: Int
  /// What came of it.
  package let outcome: AttemptOutcome
  /// The push server's status, where one came.
  package let status: Int?
  /// A safe sentence for the operator.
  package let reason: String?
  /// Origin of the push server.
  package let pushServer: String?
  /// How long it took, once completed.
  package let milliseconds: Int?
  /// When the companion answered it.
  package let receiptAt: Int64?
  /// What it was for.
  package let purpose: AttemptPurpose

  /// All members, for stores and tests.
  package init(
    id: AttemptID, at: Int64, stack: StackID, device: DeviceID, alertFirst: AlertID?, alertLast: AlertID?,
    alertCount: Int, outcome: AttemptOutcome, status: Int?, reason: String?, pushServer: String?,
    milliseconds: Int?, receiptAt: Int64?, purpose: AttemptPurpose
  ) {
    self.id = id
    self.at = at
    self.stack = stack
    self.device = device
    self.alertFirst = alertFirst
    self.alertLast = alertLast
    self.alertCount = alertCount
    self.outcome = outcome
    self.status = status
    self.reason = reason
    self.pushServer = pushServer
    self.milliseconds = milliseconds
    self.receiptAt = receiptAt
    self.purpose = purpose
  }
}
