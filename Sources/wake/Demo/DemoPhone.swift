import CryptoPrimitives
import StandIns
import StrictJSON
import Synchronization
import WakeServer

/// The demo's phone: what `wake companion` does, with an eye on its push server and an ear on what it says.
final class DemoPhone: Sendable {
  /// A wake as the phone's push server had it.
  struct Wake: Sendable {
    let arrival: CompanionArrival
    let at: ContinuousClock.Instant
  }

  /// An alert that the phone shows.
  struct Shown: Sendable {
    let alert: JSONValue
    let at: ContinuousClock.Instant
  }

  fileprivate struct Record {
    var wakes: [Wake] = []
    var shown: [Shown] = []
    var isReady = false
    var isFollowing = false
    var fault: CompanionError?
  }

  private let book: CompanionBook
  private let record = Mutex(Record())
  private let work = Mutex<Task<Void, Never>?>(nil)

  /// A phone that knows nothing yet and keeps its state in a file.
  init(_ path: String) throws(CompanionError) {
    book = try CompanionBook(CompanionStateFile(path: path), creatingWith: .system)
  }

  var wakes: [Wake] { record.withLock(\.wakes) }
  var isReady: Bool { record.withLock(\.isReady) }
  var isFollowing: Bool { record.withLock(\.isFollowing) }
  /// What ended its work.
  var fault: CompanionError? { record.withLock(\.fault) }

  /// An alert that it has shown, by its id.
  func shown(_ id: String) -> Shown? { record.withLock { $0.shown.first { $0.alert["id"]?.string == id } } }

  /// As `wake companion pair`.
  func pair(_ link: PairingLink) async throws(CompanionError) -> CompanionPairing.Outcome {
    try await CompanionPairing(book).pair(link, receiver: .ownPushServer(listen: nil), label: "demo phone")
  }

  /// As `wake companion run`, with or without `--follow`.
  func start(follows: Bool) {
    record.withLock { $0.isReady = false }
    let run = CompanionRun(
      book, follows: follows,
      watch: { arrival in
        self.record.withLock { $0.wakes.append(Wake(arrival: arrival, at: .now)) }
      },
      say: { note in self.record.withLock { $0.hear(note) } })
    let task = Task {
      do throws(CompanionError) { try await run.run() } catch { self.record.withLock { $0.fault = error } }
    }
    work.withLock { $0 = task }
  }

  /// As SIGTERM to it.
  func end() async {
    let task = work.withLock { work in
      defer { work = nil }
      return work
    }
    task?.cancel()
    await task?.value
  }
}

extension DemoPhone.Record {
  fileprivate mutating func hear(_ note: CompanionNote) {
    switch note {
    case .ready: isReady = true
    case .following: isFollowing = true
    case .alert(_, let alert): shown.append(DemoPhone.Shown(alert: .object(alert), at: .now))
    default: break
    }
  }
}
