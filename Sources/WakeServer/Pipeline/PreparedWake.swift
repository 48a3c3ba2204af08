internal import EndpointRegistry

/// A wake whose row is on disk, so that it may go out.
struct PreparedWake: Sendable {
  let attempt: AttemptID
  let target: WakeTarget
  let receipt: String
  let payload: WakePayload
  let purpose: AttemptPurpose
}
