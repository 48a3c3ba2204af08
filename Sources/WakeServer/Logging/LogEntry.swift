/// One line of the log, before it is written.
package struct LogEntry: Sendable {
  /// Milliseconds since 1970.
  package let at: Int64
  package let level: Log.Level
  /// One sentence, on one line.
  package let message: String
  /// What it is about; a name may not stand there twice.
  package let fields: [(name: String, value: String)]

  package init(
    at: Int64, level: Log.Level, message: String, fields: [(name: String, value: String)] = []
  ) {
    self.at = at
    self.level = level
    self.message = message
    self.fields = fields
  }
}
