internal import FoundationEssentials

/// Lines for the operator, on standard error unless a test asks otherwise. Never holds a secret.
package struct Log: Sendable {
  /// From the chattiest to the gravest.
  package enum Level: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }
  }

  private let least: Level
  private let write: @Sendable (String) -> Void

  package init(from least: Level, write: @escaping @Sendable (String) -> Void) {
    self.least = least
    self.write = write
  }

  /// Standard error, one line a message.
  package static func standardError(from least: Level) -> Log {
    Log(from: least) { line in
      try? FileHandleOutput.standardError.write(line + "\n")
    }
  }

  package static let silent = Log(from: .error) { _ in }

  package func debug(_ message: @autoclosure () -> String) { log(.debug, message) }
  package func info(_ message: @autoclosure () -> String) { log(.info, message) }
  package func warning(_ message: @autoclosure () -> String) { log(.warning, message) }
  package func error(_ message: @autoclosure () -> String) { log(.error, message) }

  /// What the operator is told at every level.
  package func always(_ message: String) { write(.info, message) }

  private func log(_ level: Level, _ message: () -> String) {
    if level >= least { write(level, message()) }
  }

  private func write(_ level: Level, _ message: String) {
    let time = Presentation.time(WallClock.system.now())
    write("\(time) \(level.rawValue) \(message.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }
}
