package import CryptoPrimitives
internal import HTTPClient
internal import Synchronization

/// A companion's state in memory, and always on disk before anybody goes on.
///
/// One process at a time has the book of a file.
package final class CompanionBook: Sendable {
  private let file: CompanionStateFile
  private let turn: CompanionStateFile.Turn
  private let current: Mutex<CompanionState>
  /// Writing waits for the disk: one thread of its own, so that changes also have one order.
  private let thread = WorkerThreads(name: "companion-state", threads: 1)

  /// Takes the file's turn and reads it; with `random` a missing file is a companion that knows nothing yet.
  package init(_ file: CompanionStateFile, creatingWith random: RandomOctets? = nil) throws(CompanionError) {
    self.file = file
    if random == nil { _ = try file.load() }
    turn = try file.takeTurn()
    do throws(CompanionError) { current = Mutex(try file.load()) } catch {
      guard case .fileMissing = error, let random else { throw error }
      current = Mutex(CompanionState(random: random))
    }
  }

  deinit { thread.stop() }

  /// The state as it was saved last.
  package var state: CompanionState { current.withLock { $0 } }

  /// Changes the state and saves it; where it cannot be saved, nothing has changed.
  func change(_ change: @escaping @Sendable (inout CompanionState) -> Void) async throws(CompanionError) {
    let saved: Result<Void, CompanionError> = await withCheckedContinuation { continuation in
      thread.run { [file, self] in
        var state = current.withLock { $0 }
        change(&state)
        do throws(CompanionError) {
          try file.save(state)
          let saved = state
          current.withLock { $0 = saved }
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try saved.get()
  }

  /// The same for one stack; nothing where it is not there.
  func change(stack: String, _ change: @escaping @Sendable (inout CompanionStack) -> Void)
    async throws(CompanionError)
  {
    try await self.change { state in
      guard var known = state[stack] else { return }
      change(&known)
      state[stack] = known
    }
  }
}
