internal import EndpointRegistry

/// A wake whose row is on disk, so that it may go out.
struct PreparedWake: Sendable {
  let attempt: AttemptID
  let target: WakeTarget
  let receipt: String
  /// Whether it follows alerts, so that the device's next such wake waits for its end.
  let followsAlerts: Bool
}
