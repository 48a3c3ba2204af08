internal import EndpointRegistry

/// A wake to one device that follows no alert; it stands outside the windows.
struct SingleWake: Sendable {
  let device: DeviceID
  let stack: StackID
  /// `activation` or `test`.
  let purpose: AttemptPurpose
}
