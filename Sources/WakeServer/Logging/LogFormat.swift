internal import StrictJSON

/// How lines of the log are written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// For people at a terminal: local time, level, sentence, fields.
  case text
  /// For programs: one JSON object a line.
  case json
  /// For systemd's journal, which adds the time itself and reads the level from `<N>` (sd-daemon(3)).
  case journal

  /// A line, without its end.
  package func line(_ entry: LogEntry) -> String {
    switch self {
    case .text:
      "\(LocalTime.text(entry.at)) \(entry.level.rawValue) \(Self.sentence(entry))"
    case .journal:
      "<\(entry.level.priority)>\(Self.sentence(entry))"
    case .json:
      JSONValue.object(
        JSONObject(
          uniqueMembers: [
            ("time", .string(Presentation.time(entry.at))), ("level", .string(entry.level.rawValue)),
            ("message", .string(entry.message)),
          ] + entry.fields.map { ($0.name, .string($0.value)) })
      ).text
    }
  }

  private static func sentence(_ entry: LogEntry) -> String {
    entry.fields.reduce(entry.message) { "\($0) \($1.name)=\($1.value)" }
  }
}

extension Log.Level {
  /// syslog(3).
  fileprivate var priority: Int {
    switch self {
    case .debug: 7
    case .info: 6
    case .warning: 4
    case .error: 3
    }
  }
}
