internal import Synchronization

/// A bound on how much is under way: who finds no place waits, first come first served, without a thread.
final class AsyncSemaphore: Sendable {
  private struct State {
    var places: Int
    var queue: [CheckedContinuation<Void, Never>] = []
  }

  private let places: Int
  private let state: Mutex<State>

  init(places: Int) {
    self.places = places
    state = Mutex(State(places: places))
  }

  /// How many have a place, and how many wait for one.
  var counts: (taken: Int, waiting: Int) { state.withLock { (places - $0.places, $0.queue.count) } }

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
