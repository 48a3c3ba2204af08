import Foundation
import StandIns
import StrictJSON
import Synchronization
import WakeServer

extension Command {
  private static let follow = Option(
    "--follow", help: "read the stream of alerts as well, without being woken")
  private static let once = Option(
    "--once",
    help: "end after the first wake, with --follow after the first alert, with --test after the test wake")
  private static let test = Option(
    "--test", help: "ask for a test wake of every stack, and say how long it took to come")
  private static let timeout = Option(
    "--timeout", "SECONDS", help: "end after that time; with --once it is a failure where nothing came")

  /// Seconds that can be asked for: a day.
  private static let timeoutMaximum = 86_400

  static let companionRun = Command(
    "companion run", summary: "be a phone: receive wakes, and show what a phone would show",
    discussion: """
      Reads what came since it ran last, says that it is ready, and shows a line for each alert: time, stack, kind,
      event, and the id under which a phone would show it. With --json each line is a JSON document of its own (JSON
      Lines), `what` says of which sort. It ends by SIGTERM or SIGINT, by --once or --timeout, or with exit code 1 when no
      registration is left.

      `--test --once --timeout 10` tries the whole way, from the asking to the receipt, and ends.
      """,
    options: [companionState, follow, once, test, timeout], json: .jsonLines, takesSettings: false
  ) { invocation throws(CommandError) in
    let seconds = try invocation.number(timeout.flag, "seconds", in: 1...timeoutMaximum)
    let book: CompanionBook
    do throws(CompanionError) { book = try CompanionBook(file(invocation)) } catch {
      throw CommandError(error)
    }
    let (reasons, reason) = AsyncStream<CompanionEnd>.makeStream()
    let (isOnce, follows, tests) = (invocation.has(once), invocation.has(follow), invocation.has(test))
    let awaitsTest = Mutex(tests)
    let unwritten = Mutex<CommandError?>(nil)
    let run = CompanionRun(book, follows: follows, tests: tests) { note throws(CompanionError) in
      do throws(CommandError) { try invocation.write(invocation.json ? note.document.text : note.line) } catch
      {
        unwritten.withLock { $0 = error }
        throw .output
      }
      switch note {
      case .tested: awaitsTest.withLock { $0 = false }
      case .alert where isOnce && follows && !tests: throw .stopped
      // The read that follows a wake has handed back its receipt.
      case .read where isOnce && (tests || !follows) && !awaitsTest.withLock { $0 }: throw .stopped
      default: break
      }
    }
    let ending = try Signals.theEnd()
    let work = Task {
      do throws(CompanionError) { try await run.run() } catch { reason.yield(.fault(error)) }
    }
    let signal = Task {
      await ending.value
      reason.yield(.asked)
    }
    let clock = Task {
      guard let seconds, (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      reason.yield(.tooLate(seconds))
    }
    let end = await reasons.first { _ in true } ?? .asked
    // What is under way is brought to its end, so that the file says what was shown.
    work.cancel()
    await work.value
    signal.cancel()
    clock.cancel()
    switch end {
    case .asked, .fault(.stopped): return
    case .tooLate(let seconds): if isOnce { throw .failed("nothing came within \(seconds) s") }
    case .fault(let error): throw unwritten.withLock { $0 } ?? CommandError(error)
    }
  }
}

/// Why a run ends.
private enum CompanionEnd: Sendable {
  case asked
  case tooLate(Int)
  case fault(CompanionError)
}
