internal import Synchronization

/// An event that happens once, and that any number of tasks may wait for.
final class Latch: Sendable {
  private enum State {
    case pending([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Mutex(State.pending([]))

  /// Lets everybody go on who waits or will wait.
  func open() {
    let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard case .pending(let waiting) = state else { return [] }
      state = .open
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once the latch is open.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .pending(let waiting) = state else { return true }
        state = .pending(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
