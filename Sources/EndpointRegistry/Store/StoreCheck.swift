internal import Dispatch
internal import Synchronization

internal import class Foundation.Thread

/// The check of the whole file, on a thread and a connection of its own: it takes seconds where there are a million
/// devices, and nobody has to wait for that.
final class StoreCheck: Sendable {
  private let outcome = Mutex<Result<Void, RegistryError>?>(nil)
  private let settled = DispatchSemaphore(value: 0)
  private let end = Latch()

  /// Starts to check the file at `path`; `open` makes the connection.
  init(path: String, open: @escaping @Sendable () throws(RegistryError) -> Database) {
    let thread = Thread { [self] in
      Thread.current.name = "store-check"
      let result: Result<Void, RegistryError>
      do throws(RegistryError) {
        let verdict = try open().first("PRAGMA quick_check(1)") { $0.text(0) }
        result = verdict == "ok" ? .success(()) : .failure(.damaged(path))
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      settled.signal()
      end.open()
    }
    thread.start()
  }

  /// Waits for the end, or for at most so many milliseconds; false where it is not over then. To be called once.
  func finishes(within milliseconds: Int?) throws(RegistryError) -> Bool {
    if let milliseconds {
      guard settled.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
    } else {
      settled.wait()
    }
    try outcome.withLock(\.self)?.get()
    return true
  }

  /// Returns once the file has been found whole.
  func finished() async throws(RegistryError) {
    await end.wait()
    try outcome.withLock(\.self)?.get()
  }
}
