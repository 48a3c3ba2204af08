import Foundation
import StrictJSON

/// A process that speaks in JSON lines, until it is ended.
final class LineProcess: Sendable {
  struct Silent: Error {}

  let pid: Int32
  private let process: Process
  private let input: FileHandle
  private let lines: AsyncStream<JSONValue>
  private let ended: Task<Int32, Never>

  /// Starts a program; its standard error goes to `errors`.
  init(_ program: Program, errors: FileHandle = .nullDevice) throws {
    let process = try program.process()
    let (output, input) = (Pipe(), Pipe())
    (process.standardOutput, process.standardInput, process.standardError) = (output, input, errors)
    self.process = process
    self.input = input.fileHandleForWriting
    let (lines, line) = AsyncStream<JSONValue>.makeStream()
    self.lines = lines
    let reading = output.fileHandleForReading
    Thread.detachNewThread {
      var buffer: [UInt8] = []
      while let data = try? reading.read(upToCount: 65_536), !data.isEmpty {
        buffer += data
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          if let value = try? StrictJSON.parse(Array(buffer[..<end])) { line.yield(value) }
          buffer.removeSubrange(...end)
        }
      }
      line.finish()
    }
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = {
      exit.yield($0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
      exit.finish()
    }
    ended = Task { await exits.first { _ in true } ?? -1 }
    try process.run()
    pid = process.processIdentifier
  }

  /// The next line; nil when the process has ended. Gives up after `patience`.
  func next(patience: Duration = .seconds(60)) async throws -> JSONValue? {
    try await withThrowingTaskGroup(of: JSONValue?.self) { group in
      group.addTask { [lines] in await lines.first { _ in true } }
      group.addTask {
        try await Task.sleep(for: patience)
        throw Silent()
      }
      let first = try await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  /// Ends its standard input.
  func closeInput() { try? input.close() }

  /// Sends a signal to this process alone.
  func signal(_ number: Int32) { kill(pid, number) }

  /// Waits for its end: the exit code, or minus the signal.
  func exitCode() async -> Int32 { await ended.value }
}
