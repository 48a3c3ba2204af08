internal import EndpointRegistry
internal import Synchronization

/// Brings what came of wakes to the store, one call at a time: what ends while a call is under way goes into the next.
/// So a wake that ends alone waits for nobody, and those of a fan-out share transactions. There is no timer.
final class ResultCollector: Sendable {
  /// Results that share a call: a few milliseconds of the thread that writes.
  static let callMaximum = 256

  /// What a caller does once it is its turn.
  private enum Turn {
    case write
    case written(RegistryError?)
  }

  private struct Waiter {
    let result: AttemptResult
    let turn: CheckedContinuation<Turn, Never>
  }

  private struct State {
    var isWriting = false
    /// The oldest first. Bounded by the wakes that are under way, each of which waits for one result.
    var waiting: [Waiter] = []
  }

  /// Keeps all of its results in the store, or throws and keeps none.
  typealias Write = @Sendable ([AttemptResult]) async throws(RegistryError) -> Void

  private let state = Mutex(State())

  /// Results that wait for the next call.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Returns when `result` is on disk; throws why it is not. `write` writes it, with those that wait, or does so for
  /// somebody else. Where the store has failed for so long that `write` gave up, all of a call fail; after any other
  /// failure each is tried by itself, so that one that cannot be kept takes no other with it.
  func complete(_ result: AttemptResult, by write: Write) async throws(RegistryError) {
    let turn = await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isWriting else {
          state.isWriting = true
          return true
        }
        state.waiting.append(Waiter(result: result, turn: continuation))
        return false
      }
      if isFree { continuation.resume(returning: .write) }
    }
    let failure: RegistryError?
    switch turn {
    case .write: failure = await writeTogether(result, write)
    case .written(let known): failure = known
    }
    if let failure { throw failure }
  }

  /// Writes a result with those that wait, hands the turn on and answers them; why the first was not kept.
  private func writeTogether(_ result: AttemptResult, _ write: Write) async -> RegistryError? {
    let others = state.withLock { state in
      let taken = Array(state.waiting.prefix(Self.callMaximum - 1))
      state.waiting.removeFirst(taken.count)
      return taken
    }
    let failures = await failures(of: [result] + others.map(\.result), write)
    let next: Waiter? = state.withLock { state in
      state.isWriting = !state.waiting.isEmpty
      return state.isWriting ? state.waiting.removeFirst() : nil
    }
    next?.turn.resume(returning: .write)
    for (waiter, failure) in zip(others, failures.dropFirst()) {
      waiter.turn.resume(returning: .written(failure))
    }
    return failures[0]
  }

  /// Why each of `results` was not kept; nil for one that was.
  private func failures(of results: [AttemptResult], _ write: Write) async -> [RegistryError?] {
    do throws(RegistryError) {
      try await write(results)
      return results.map { _ in nil }
    } catch {
      guard results.count > 1, !error.isTemporary else { return results.map { _ in error } }
    }
    var failures: [RegistryError?] = []
    for result in results {
      do throws(RegistryError) {
        try await write([result])
        failures.append(nil)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}
