internal import Dispatch
internal import Synchronization

internal import class Foundation.Thread

/// A thread of our own with a connection of its own, for as long as `serve` goes on.
struct StoreThread: Sendable {
  private let end = Latch()

  /// Starts the thread and waits until its connection is open, or throws why it could not be opened.
  init(
    name: String, open: @escaping @Sendable () throws(RegistryError) -> Session,
    serve: @escaping @Sendable (Session) -> Void
  ) throws(RegistryError) {
    let outcome = Outcome()
    let thread = Thread { [end] in
      Thread.current.name = name
      do throws(RegistryError) {
        let session = try open()
        outcome.settle(nil)
        serve(session)
      } catch {
        outcome.settle(error)
      }
      end.open()
    }
    thread.start()
    if let failure = outcome.wait() { throw failure }
  }

  /// Returns once the thread has let go of its connection.
  func join() async {
    await end.wait()
  }

  /// What came of opening, for the thread that waits for it.
  private final class Outcome: Sendable {
    private let failure = Mutex<RegistryError?>(nil)
    private let settled = DispatchSemaphore(value: 0)

    func settle(_ error: RegistryError?) {
      failure.withLock { $0 = error }
      settled.signal()
    }

    func wait() -> RegistryError? {
      settled.wait()
      return failure.withLock { $0 }
    }
  }
}
