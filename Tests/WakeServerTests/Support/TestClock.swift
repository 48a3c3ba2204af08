import Synchronization
import WakeServer

/// The time of day and the steady clock, which stand still until a test moves them.
final class TestClock: Sendable {
  private struct State {
    var wall: Int64 = 1_767_225_600_000
    var steady: Int64 = 77
    var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
    var sleeps = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// The time of day, in milliseconds since 1970; setting it is what an operator does, time does not pass by it.
  var now: Int64 {
    get { state.withLock(\.wall) }
    set { state.withLock { $0.wall = newValue } }
  }

  var wall: WallClock { WallClock { self.now } }

  var steady: SteadyTime {
    SteadyTime(now: { self.state.withLock(\.steady) }, sleep: { await self.sleep(until: $0) })
  }

  /// Time passes, and the time of day is set forward by `jump` at the same moment. Whoever slept until then wakes up.
  func pass(_ milliseconds: Int64, jump: Int64 = 0) {
    let woken = state.withLock { state in
      state.wall += milliseconds + jump
      state.steady += milliseconds
      let due = state.sleepers.filter { $0.value.until <= state.steady }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// How many wait for a time to come.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  private func sleep(until time: Int64) async {
    let key = state.withLock { state in
      state.sleeps += 1
      return state.sleeps
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.steady >= time || state.cancelled.remove(key) != nil { return true }
          state.sleepers[key] = (time, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: key)
        if sleeper == nil { state.cancelled.insert(key) }
        return sleeper
      }
      sleeper?.continuation.resume()
    }
  }
}
