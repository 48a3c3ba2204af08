internal import EndpointRegistry

/// A wake whose row is on disk, so that it may go out. It goes through many hands, which share it.
final class PreparedWake: Sendable {
  let attempt: AttemptID
  let target: WakeTarget
  let receipt: String
  let payload: WakePayload
  let purpose: AttemptPurpose

  init(
    attempt: AttemptID, target: WakeTarget, receipt: String, payload: WakePayload, purpose: AttemptPurpose
  ) {
    self.attempt = attempt
    self.target = target
    self.receipt = receipt
    self.payload = payload
    self.purpose = purpose
  }
}
