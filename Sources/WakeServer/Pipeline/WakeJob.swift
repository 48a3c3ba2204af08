internal import EndpointRegistry
internal import KindCatalogue

/// One reason to wake one device or all of a stack's.
struct WakeJob: Sendable {
  let stack: StackID
  let purpose: AttemptPurpose
  /// The one device that is meant; nil for all.
  var device: DeviceID?
  /// The alert that is told of, and its kind, which devices may have muted.
  var alert: AlertID?
  var kind: Kind?

  static func alert(_ id: AlertID, kind: Kind, of stack: StackID) -> WakeJob {
    WakeJob(stack: stack, purpose: .alert, alert: id, kind: kind)
  }

  static func activation(_ device: DeviceID, of stack: StackID) -> WakeJob {
    WakeJob(stack: stack, purpose: .activation, device: device)
  }

  static func test(_ device: DeviceID, of stack: StackID) -> WakeJob {
    WakeJob(stack: stack, purpose: .test, device: device)
  }

  /// The row for one device of this job.
  func attempt(
    for device: DeviceID, receipt: String?, pushServer: String?, outcome: AttemptOutcome = .unknown
  )
    -> NewAttempt
  {
    NewAttempt(
      stack: stack, device: device, alertFirst: alert, alertLast: alert, alertCount: alert == nil ? 0 : 1,
      receipt: receipt, pushServer: pushServer, purpose: purpose, outcome: outcome)
  }
}
