/// Lines for the operator, on standard error unless a test asks otherwise. Never holds a secret.
package struct Log: Sendable {
  /// From the chattiest to the gravest.
  package enum Level: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }
  }

  /// What a line is about, beside its sentence: `requestId`, `device`, `attempt`.
  package typealias Fields = KeyValuePairs<String, String>

  private let threshold: LogThreshold
  private let format: LogFormat
  private let write: @Sendable (String) -> Void
  /// What all of its lines are about.
  private var about: [(name: String, value: String)] = []

  package init(from least: Level, format: LogFormat = .text, write: @escaping @Sendable (String) -> Void) {
    threshold = LogThreshold(least)
    self.format = format
    self.write = write
  }

  /// Standard error, one line a message.
  package static func standardError(from least: Level, format: LogFormat) -> Log {
    Log(from: least, format: format) { line in
      try? FileHandleOutput.standardError.write(line + "\n")
    }
  }

  package static let silent = Log(from: .error) { _ in }

  /// From now on, and wherever this log has been handed to, lines of this level and graver ones are written.
  package func write(from least: Level) { threshold.exchange(for: least) }

  /// The same log, for lines that are all about these.
  package func about(_ fields: Fields) -> Log {
    var log = self
    log.about += fields.map { (name: $0.key, value: $0.value) }
    return log
  }

  // Neither sentence nor fields are made where the line is not written.

  package func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
    log(.debug, message, fields)
  }
  package func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
    log(.info, message, fields)
  }
  package func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
    log(.warning, message, fields)
  }
  package func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
    log(.error, message, fields)
  }

  /// What the operator is told at every level.
  package func always(_ message: String) { write(.info, message, [:]) }

  private func log(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
    if level.rank >= threshold.rank { write(level, message(), fields()) }
  }

  private func write(_ level: Level, _ message: String, _ fields: Fields) {
    let entry = LogEntry(
      at: WallClock.system.now(), level: level,
      message: message.split(whereSeparator: \.isNewline).joined(separator: " "),
      fields: about + fields.map { (name: $0.key, value: $0.value) })
    write(format.line(entry))
  }
}
