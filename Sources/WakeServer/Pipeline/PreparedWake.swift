internal import EndpointRegistry

/// A wake whose row is on disk, so that it may go out. It goes through many hands, which share it.
final class PreparedWake: Sendable {
  let attempt: AttemptID
  let target: WakeTarget
  let receipt: String
  let payload: WakePayload
  let purpose: AttemptPurpose
  /// When the newest alert was raised that it stands for; nil where it stands for none.
  let raisedAt: Int64?
  /// Whether some of its alerts could not be told of at once.
  let waited: Bool

  init(
    attempt: AttemptID, target: WakeTarget, receipt: String, payload: WakePayload, purpose: AttemptPurpose,
    raisedAt: Int64? = nil, waited: Bool = false
  ) {
    self.attempt = attempt
    self.target = target
    self.receipt = receipt
    self.payload = payload
    self.purpose = purpose
    self.raisedAt = raisedAt
    self.waited = waited
  }
}
