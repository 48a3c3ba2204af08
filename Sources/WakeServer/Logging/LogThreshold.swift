internal import Synchronization

/// From which level on a log is written, shared by all copies of it: it may change while they are used.
final class LogThreshold: Sendable {
  private let value: Atomic<Int>

  init(_ level: Log.Level) { value = Atomic(level.rank) }

  /// The place of the level among the levels.
  var rank: Int { value.load(ordering: .relaxed) }

  func exchange(for level: Log.Level) { value.store(level.rank, ordering: .relaxed) }
}
