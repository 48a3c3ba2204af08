/// What waking devices needs of a store. Times are milliseconds since 1970. Every change is on disk when its call
/// returns; a call that throws has changed nothing.
package protocol WakeStore: Sendable {
  /// At most `limit` devices that something is new to, or that wait for a window's end, in the order of their ids, after
  /// `after`; read at one moment. Nothing is decided by that: `settle` does.
  func pendingWakes(
    of stack: StackID, rules: WakeRules, after: DeviceID?, limit: Int, at: Int64
  ) async throws(RegistryError) -> PendingWakePage
  /// Keeps what was decided for a page, in one transaction: rows, and where each device stands. The attempts of those
  /// that a wake goes out to, in the same order; nil for the others, and for a device that was decided on, or got
  /// another subscription, since the page was read: that one gets no wake.
  ///
  /// With `completing`, a whole fan-out has been through: every page was settled. It is the `newest` of the first page.
  func settle(
    _ decisions: [(PendingWake, WakeDecision)], of stack: StackID, completing newest: AlertID?, at: Int64
  ) async throws(RegistryError) -> [AttemptID?]
  /// The stacks that a fan-out has something to do for: an alert that no whole one has been through for, or a device
  /// that waits.
  func stacksToNudge() async throws(RegistryError) -> [StackID]

  /// What a wake to one device needs; nil where it has no subscription, or is not there. `sealBroken` where its row
  /// cannot be opened or holds no valid key.
  func wakeTarget(_ device: DeviceID) async throws(RegistryError) -> WakeTarget?
  /// Puts attempts on record before they are made; their ids, in the same order.
  func beginAttempts(_ attempts: [NewAttempt], at: Int64) async throws(RegistryError) -> [AttemptID]
  /// The same for the activation wake of a subscription; nil where the device is not owed one, or no more.
  func beginActivation(_ attempt: NewAttempt, at: Int64) async throws(RegistryError) -> AttemptID?
  /// At most `limit` devices whose subscription is new and whose activation wake was not begun.
  func activationsOwed(limit: Int) async throws(RegistryError) -> [(device: DeviceID, stack: StackID)]
  /// For each of these stacks, how often it was changed who may be woken when: windows and mutes.
  func rules(of stacks: [StackID]) async throws(RegistryError) -> [StackID: Int64]
  /// Says how attempts ended; those that are not known any more are passed over. In the same transaction it erases the
  /// endpoints that they found gone, with their keys, from every row on every stack that still holds them and did not
  /// change since; the devices that lost theirs. One that has no other subscription is `gone` from then on.
  @discardableResult
  func completeAttempts(_ results: [AttemptResult], at: Int64) async throws(RegistryError) -> [ErasedEndpoint]
}
