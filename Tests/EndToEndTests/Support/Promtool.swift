import Foundation
import Testing

/// Prometheus' own checker of metrics and rules.
enum Promtool {
  static let path = "/usr/bin/promtool"
  /// Why the tests that need it are skipped.
  static let absent = Comment("SKIPPED: \(path) is not here (prometheus)")
  static var isHere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  static func program(_ arguments: String...) -> Program { Program(path: path, arguments: arguments) }
}
