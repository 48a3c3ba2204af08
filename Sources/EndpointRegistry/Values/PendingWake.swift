/// One device of a fan-out: what is new to it, and all that it is to be told of. What becomes of that is for the caller
/// to decide (``WakeDecision``), and for `settle` to keep.
package struct PendingWake: Sendable {
  /// The device.
  package let device: DeviceID
  /// Origin of its subscription's push server.
  package let pushServer: String
  /// New alerts that it mutes.
  package let muted: AlertSpan?
  /// Alerts, new ones or such that waited for a window's end, that are too old by now.
  package let stale: AlertSpan?
  /// All that it is to be told of: what waited, and what is new.
  package let due: AlertSpan?
  /// The part of `due` that is new.
  package let newlyDue: AlertSpan?
  /// When its window ends; nil where none is open.
  package let windowEndsAt: Int64?
  /// When the pause ends that its push server asked for; nil where there is none.
  package let heldUntil: Int64?
  /// Whether a wake may go: something is due, and neither a window nor a pause is in the way.
  package let isReady: Bool

  /// Opens what the wake needs; nil where its row cannot be opened or holds no valid key.
  let open: @Sendable () -> WakeTarget?

  /// What a wake needs, opened each time that it is asked for; nil where none may go, or the row is faulty.
  package var target: WakeTarget? { isReady ? open() : nil }
  /// Whether its row was to be opened and cannot be.
  package var isFaulty: Bool { isReady && open() == nil }

  /// Whether there is anything to keep of a decision to let it wait: it waits already for all that is due.
  var isNews: Bool {
    muted != nil || stale != nil || newlyDue != nil || reading.seen < reading.newest
  }

  /// What was read, and holds still when `settle` writes.
  let reading: Reading

  /// When the newest of what is due was raised.
  package var dueAt: Int64? { reading.dueAt }

  /// Where a device's row stood.
  struct Reading: Sendable {
    /// The device's `seen` and `pending_count`: where they have changed, somebody else has decided.
    let seen: Int64
    let pendingCount: Int64
    /// When its last window began, open or not.
    let windowAt: Int64?
    /// How long a window is.
    let windowMilliseconds: Int64
    /// Number of the newest alert that was looked at.
    let newest: Int64
    /// When the newest of what is due was raised.
    let dueAt: Int64?
  }
}
