import EndpointRegistry
import Glibc
import Synchronization
import WakeServer

/// A line on standard error that says how far a long piece of work is; nothing where that is no terminal.
final class ProgressBar: Sendable {
  private static let width = 40

  private let isShown: Bool
  /// What stands there.
  private let shown = Mutex("")

  init(_ invocation: Invocation) {
    isShown = !invocation.json && isatty(STDERR_FILENO) == 1
  }

  /// Says where the work stands.
  func show(_ progress: BackupProgress) {
    switch progress {
    case .copying(let done, let all): draw("of the store copied", done, all)
    case .packing(let done, let all): draw("of the file", done, all)
    case .cleaning: draw("checking the copy", 1, 1)
    case .preparing: draw("preparing", 1, 1)
    case .publishing, .installingKey, .settingAside, .replacing: break
    }
  }

  /// Shows how much of `seconds` has passed while `work` goes on; nothing in the first second.
  func whileWaiting<Value>(
    for what: String, upTo seconds: Int, _ work: () async throws(CommandError) -> Value
  ) async throws(CommandError) -> Value {
    let start = ContinuousClock.now
    let drawing = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        draw("of the time, waiting for \(what)", start.duration(to: .now).components.seconds, Int64(seconds))
      }
    }
    let result: Result<Value, CommandError>
    do throws(CommandError) { result = .success(try await work()) } catch { result = .failure(error) }
    drawing.cancel()
    await drawing.value
    clear()
    return try result.get()
  }

  /// Takes the line away.
  func clear() {
    shown.withLock { shown in
      if !shown.isEmpty { try? FileHandleOutput.standardError.write("\r\u{1b}[K") }
      shown = ""
    }
  }

  private func draw(_ what: String, _ done: Int64, _ all: Int64) {
    guard isShown else { return }
    let share = all > 0 ? min(1, Double(done) / Double(all)) : 1
    let filled = Int(share * Double(Self.width))
    let line =
      "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: Self.width - filled))] "
      + "\(Int(share * 100)) % \(what)"
    shown.withLock { shown in
      // What looks the same is not drawn again: a terminal is slower than a disk.
      guard shown != line else { return }
      shown = line
      try? FileHandleOutput.standardError.write("\r\(line)\u{1b}[K")
    }
  }
}
