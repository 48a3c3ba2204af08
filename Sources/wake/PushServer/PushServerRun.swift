import StandIns
import Synchronization

/// One run of `wake pushserver`: writes what comes, and knows when it is over.
final class PushServerRun: Sendable {
  private enum End: Sendable {
    case counted
    case timedOut
    case fault(CommandError)
  }

  private struct State {
    var seen = 0
    /// Requests that failed a check.
    var failed = 0
    /// What came before the first line was out.
    var early: [PushSight]? = []
    var isOver = false
  }

  private let count: Int?
  private let timeoutSeconds: Int?
  private let writes: @Sendable (PushSight) throws(CommandError) -> Void
  private let state = Mutex(State())
  private let ends: AsyncStream<End>
  private let end: AsyncStream<End>.Continuation

  init(
    count: Int?, timeoutSeconds: Int?, writes: @escaping @Sendable (PushSight) throws(CommandError) -> Void
  ) {
    self.count = count
    self.timeoutSeconds = timeoutSeconds
    self.writes = writes
    (ends, end) = AsyncStream.makeStream()
  }

  /// A request came. It is written under the lock, so that lines keep the order in which they are counted, and none
  /// comes after the last.
  func saw(_ sight: PushSight) {
    state.withLock { state in
      if state.early == nil { write(sight, &state) } else { state.early?.append(sight) }
    }
  }

  /// The first line is out: what has come is written, and what comes is.
  func begin() {
    state.withLock { state in
      for sight in state.early ?? [] { write(sight, &state) }
      state.early = nil
    }
  }

  private func write(_ sight: PushSight, _ state: inout State) {
    guard !state.isOver else { return }
    do throws(CommandError) { try writes(sight) } catch {
      state.isOver = true
      end.yield(.fault(error))
      return
    }
    state.seen += 1
    if !sight.faults.isEmpty { state.failed += 1 }
    guard state.seen == count else { return }
    state.isOver = true
    end.yield(.counted)
  }

  /// Waits for the end: the count, the time, or a signal.
  func end(or signal: Task<Void, Never>) async throws(CommandError) {
    let asked = Task {
      await signal.value
      end.finish()
    }
    let clock = Task {
      guard let timeoutSeconds, (try? await Task.sleep(for: .seconds(timeoutSeconds))) != nil else { return }
      end.yield(.timedOut)
    }
    let reason = await ends.first { _ in true }
    asked.cancel()
    clock.cancel()
    switch reason {
    case nil: return
    case .counted:
      let failed = state.withLock(\.failed)
      guard failed == 0 else { throw .failed("\(failed) of \(count ?? failed) requests failed a check") }
    case .fault(let error): throw error
    case .timedOut:
      guard let count, let timeoutSeconds else { return }
      let seen = state.withLock(\.seen)
      throw .failed("\(seen) of \(count) requests came within \(timeoutSeconds) s")
    }
  }
}
