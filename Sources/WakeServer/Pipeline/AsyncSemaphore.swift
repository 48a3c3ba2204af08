internal import Synchronization

/// A bound on how much is under way: who finds no place waits, first come first served, without a thread.
final class AsyncSemaphore: Sendable {
  private struct State {
    var places: Int
    var queue: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(places: Int) { state = Mutex(State(places: places)) }

  func take() async {
    if takeFree() { return }
    await withCheckedContinuation { continuation in
      let free = state.withLock { state in
        guard state.places > 0 else {
          state.queue.append(continuation)
          return false
        }
        state.places -= 1
        return true
      }
      if free { continuation.resume() }
    }
  }

  private func takeFree() -> Bool {
    state.withLock { state in
      guard state.places > 0 else { return false }
      state.places -= 1
      return true
    }
  }

  func giveBack() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.queue.isEmpty else {
        state.places += 1
        return nil
      }
      return state.queue.removeFirst()
    }
    next?.resume()
  }
}
