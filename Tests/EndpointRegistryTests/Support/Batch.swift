import CryptoPrimitives
import Synchronization

@testable import EndpointRegistry

/// Changes that are done together, on the test's own thread: what the writer does with all that waits.
struct Batch {
  /// The answers to one run of changes, in the order of the changes; nil is success.
  final class Answers: Sendable {
    private let answers = Mutex<[Int: [RegistryError?]]>([:])

    func add(_ index: Int, _ error: RegistryError?) {
      answers.withLock { $0[index, default: []].append(error) }
    }

    /// What change `index` was answered, which has to be once.
    subscript(_ index: Int) -> [RegistryError?] { answers.withLock { $0[index] ?? [] } }

    /// All of them, in order.
    func all(_ count: Int) -> [[RegistryError?]] { (0..<count).map { self[$0] } }
  }

  let session: Session
  let options: StoreOptions

  init(_ temporary: TemporaryStore, busyTimeoutMilliseconds: Int32 = 30) throws {
    options = StoreOptions(busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    session = try Session.open(
      path: temporary.store.path, keys: temporary.store.keys, random: .system, options: options,
      isReader: false)
    try session.database.setBusyTimeout(milliseconds: 0)
  }

  /// Does `changes` as one batch; a nil one is a sign of life.
  func run(
    _ changes: [(@Sendable (Session) throws(RegistryError) -> Void)?]
  ) throws(RegistryError) -> [[RegistryError?]] {
    let queue = JobQueue<WriteJob>(countMaximum: changes.count)
    let answers = Answers()
    for (index, change) in changes.enumerated() {
      let answer = { @Sendable (result: Result<Void, RegistryError>) in
        switch result {
        case .success: answers.add(index, nil)
        case .failure(let error): answers.add(index, error)
        }
      }
      guard let change else {
        try queue.add(WriteJob(writes: false, { _ in }, answer: answer))
        continue
      }
      try queue.add(WriteJob(change, answer: answer))
    }
    queue.close()
    GroupCommit(session: session, queue: queue, options: options).serve()
    return answers.all(changes.count)
  }
}
