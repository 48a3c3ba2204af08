import Testing

/// One place that breaks a rule, and what to do about it.
struct Finding: Sendable, Equatable, CustomStringConvertible {
  let path: String
  /// Counted from 1; nil where the file as a whole is meant.
  let line: Int?
  /// What is wrong and the remedy, as one sentence or two.
  let remedy: String

  var description: String {
    line.map { "\(path):\($0): \(remedy)" } ?? "\(path): \(remedy)"
  }
}

extension [Finding] {
  /// All of them, one a line, for a failure message.
  var listed: Comment {
    Comment(rawValue: "\n" + map(\.description).joined(separator: "\n"))
  }
}
