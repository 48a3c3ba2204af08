import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Synchronization
import Testing

/// A companion in a folder of its own: its book, what it said, and the run if it has one.
final class RunningCompanion: Sendable {
  struct Silent: Error {}

  let folder: URL
  let book: CompanionBook
  private let notes = Mutex<[JSONValue]>([])
  private let lines: AsyncStream<JSONValue>
  private let line: AsyncStream<JSONValue>.Continuation
  private let task = Mutex<Task<Result<Void, CompanionError>, Never>?>(nil)

  /// A test does not wait longer than this for anything.
  static let patience = Duration.seconds(20)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "wake-companion-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    book = try CompanionBook(CompanionStateFile(path: Self.path(folder)), creatingWith: .system)
    (lines, line) = AsyncStream.makeStream()
  }

  static func path(_ folder: URL) -> String { folder.appendingPathComponent("state.json").path }

  /// Runs `body` with a companion that is paired with the services, and ends it. With `isSettled` a first wake was
  /// answered by then.
  static func with(
    _ services: [FakeService], receiver: CompanionPairing.Receiver = .ownPushServer(listen: nil),
    follows: Bool = false, runs: Bool = true, isSettled: Bool = false,
    body: (RunningCompanion) async throws -> Void
  ) async throws {
    let companion = try RunningCompanion()
    defer { try? FileManager.default.removeItem(at: companion.folder) }
    for service in services {
      // The fake service sends no activation wake of its own.
      _ = try await CompanionPairing(companion.book, patience: .zero).pair(
        service.link(), receiver: receiver, label: "phone")
    }
    do {
      if runs {
        companion.start(follows: follows)
        _ = try await companion.note("ready")
      }
      for service in services where isSettled {
        _ = try await service.push(service.wakeBody(receipt: "receipt-0"))
        _ = try await companion.note("read")
      }
      try await body(companion)
    } catch {
      _ = await companion.end()
      throw error
    }
    _ = await companion.end()
  }

  func start(follows: Bool) {
    let run = CompanionRun(book, follows: follows) { [weak self] note throws(CompanionError) in
      let document = note.document
      self?.notes.withLock { $0.append(document) }
      self?.line.yield(document)
    }
    let task = Task { () -> Result<Void, CompanionError> in
      do throws(CompanionError) { return .success(try await run.run()) } catch { return .failure(error) }
    }
    self.task.withLock { $0 = task }
  }

  /// Ends the run, and says how it ended.
  @discardableResult
  func end() async -> Result<Void, CompanionError>? {
    let task = task.withLock { $0 }
    task?.cancel()
    return await task?.value
  }

  /// Waits until the run has ended by itself.
  func ended() async -> Result<Void, CompanionError>? { await task.withLock { $0 }?.value }

  /// All that was said so far.
  var said: [JSONValue] { notes.withLock { $0 } }

  /// The ids of the alerts that were shown so far.
  var shown: [String?] { said.filter { $0["what"] == "alert" }.map { $0["id"]?.string } }

  /// The next note of that sort, those before it passed over.
  func note(_ what: String) async throws -> JSONValue {
    try await withThrowingTaskGroup(of: JSONValue?.self) { group in
      group.addTask { [lines] in await lines.first { $0["what"]?.string == what } }
      group.addTask {
        try await Task.sleep(for: Self.patience)
        throw Silent()
      }
      defer { group.cancelAll() }
      return try #require(try await group.next() ?? nil, "no \(what) among \(said.map(\.text))")
    }
  }
}
