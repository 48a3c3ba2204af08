import HTTPListener
import Synchronization

/// Counts something, and lets a test wait until it has happened so often.
final class Tally: Sendable {
  private let state = Mutex<
    (count: Int, waiting: [(wanted: Int, continuation: CheckedContinuation<Void, Never>)])
  >(
    (0, []))

  var count: Int { state.withLock(\.count) }

  func add() {
    let reached = state.withLock { state in
      state.count += 1
      let count = state.count
      defer { state.waiting.removeAll { $0.wanted <= count } }
      return state.waiting.filter { $0.wanted <= count }.map(\.continuation)
    }
    for continuation in reached { continuation.resume() }
  }

  /// Returns when it has happened so often.
  func reaches(_ wanted: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count < wanted { state.waiting.append((wanted, continuation)) }
        return state.count >= wanted
      }
      if isReached { continuation.resume() }
    }
  }
}
