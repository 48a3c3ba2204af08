import Foundation

/// How large the tests of reliability are: small beside all others, and as large as was promised by `make faults`.
enum Scale {
  /// `full` here makes them large.
  static let variable = "WAKE_RELIABILITY"
  static let isFull = ProcessInfo.processInfo.environment[variable] == "full"

  static func of<Size>(full: Size, small: Size) -> Size { isFull ? full : small }
}
