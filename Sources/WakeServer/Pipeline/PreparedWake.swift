internal import EndpointRegistry

/// A wake whose row is on disk, so that it may go out.
struct PreparedWake: Sendable {
  let attempt: AttemptID
  let target: WakeTarget
  let receipt: String
}

/// One page of a fan-out.
struct WakePage: Sendable {
  let wakes: [PreparedWake]
  /// Where the next page begins; nil after the last one.
  let next: DeviceID?
}
