import Foundation
import StrictJSON

/// A process that speaks in JSON lines, until it is ended.
final class LineProcess: Sendable {
  struct Silent: Error {}

  private let child: Child
  private let input: FileHandle
  private let lines: AsyncStream<JSONValue>

  /// Starts a program; its standard error goes to `errors`.
  init(_ program: Program, errors: FileHandle = .nullDevice) throws {
    let (input, output) = (try Pipe.ends(), try Pipe.ends())
    child = try Child(
      program, input: input.read.fileDescriptor, output: output.write.fileDescriptor,
      errors: errors.fileDescriptor)
    self.input = input.write
    try input.read.close()
    try output.write.close()
    let (lines, line) = AsyncStream<JSONValue>.makeStream()
    self.lines = lines
    let reading = output.read
    Thread.detachNewThread {
      var buffer: [UInt8] = []
      while case let data = reading.availableData, !data.isEmpty {
        buffer += data
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          if let value = try? StrictJSON.parse(Array(buffer[..<end])) { line.yield(value) }
          buffer.removeSubrange(...end)
        }
      }
      line.finish()
    }
  }

  /// The next line; nil when the process has ended. Gives up after `patience`.
  func next(patience: Duration = .seconds(180)) async throws -> JSONValue? {
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

  /// Its number.
  var pid: pid_t { child.pid }

  /// Ends its standard input.
  func closeInput() { try? input.close() }

  /// Sends a signal to this process alone.
  func signal(_ number: Int32) { child.signal(number) }

  /// Waits for its end: the exit code, or minus the signal.
  func exitCode() async -> Int32 { await child.exitCode() }
}

extension Pipe {
  /// The two ends of a pipe; ``Child`` closes them in every other child.
  fileprivate static func ends() throws -> (read: FileHandle, write: FileHandle) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }
}
