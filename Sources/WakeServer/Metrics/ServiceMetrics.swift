package import EndpointRegistry
package import KindCatalogue
internal import Synchronization

/// What the service counts while it works. Every call takes well under a microsecond, so that nothing waits for it.
package final class ServiceMetrics: Sendable {
  // Apart, so that requests, wakes and the store's writer do not wait for each other.
  private let wakes = Mutex(WakeCounts())
  private let requests = Mutex(RequestCounts())
  private let store = Mutex(StoreCounts())

  package init() {}

  // MARK: Alerts and wakes

  /// An alert was recorded, and is no repeat.
  package func alertRecorded(_ kind: Kind) { wakes.withLock { $0.alertRecorded(kind) } }

  /// A wake ended, or was decided not to be sent.
  package func wakeEnded(_ outcome: AttemptOutcome, at origin: String) {
    wakes.withLock { $0.wakeEnded(outcome, at: origin) }
  }

  /// Changes several counts of wakes at one moment.
  func countWakes(_ change: (inout WakeCounts) -> Void) { wakes.withLock { change(&$0) } }

  /// A receipt came for the first time, at `at`, of a wake that was begun at `begun`: milliseconds since 1970.
  package func receiptCame(of begun: Int64, at: Int64) {
    wakes.withLock { $0.receiptCame(seconds: Double(at - begun) / 1_000) }
  }

  // MARK: Requests

  /// A request was answered; `seconds` nil where it was refused before it was read.
  func answered(
    _ subject: RequestCounts.Subject, through door: Door, status: Int, problem: ProblemCode?, seconds: Double?
  ) {
    requests.withLock {
      $0.answered(subject, through: door.listener, status: status, problem: problem, seconds: seconds)
    }
  }

  // MARK: The store

  /// To be told of what the store does.
  package var storeObserver: StoreObserver {
    StoreObserver(
      committed: { seconds in self.store.withLock { $0.committed(seconds: seconds) } },
      failed: { error in self.store.withLock { $0.failed(error) } })
  }

  // MARK: Reading

  /// Writes all that is counted here.
  func write(to exposition: inout Exposition) {
    wakes.withLock { $0 }.write(to: &exposition)
    requests.withLock { $0 }.write(to: &exposition)
    store.withLock { $0 }.write(to: &exposition)
  }
}
