internal import EndpointRegistry

/// A wake to one device that follows no alert; it stands outside the windows.
struct SingleWake: Sendable, Hashable {
  let device: DeviceID
  let stack: StackID
  /// `activation` or `test`.
  let purpose: AttemptPurpose

  /// What its preparation came to.
  enum Preparation: Sendable {
    /// Nobody is to be woken: no subscription, a faulty row, or an activation wake that is not owed any more.
    case nobody
    /// Its push server asked for a pause until then; the row says so, where one was written.
    case held(until: Int64, AttemptID?)
    /// Its push server has enough to answer already.
    case crowded
    /// Its row is on disk.
    case ready(PreparedWake)
  }
}
