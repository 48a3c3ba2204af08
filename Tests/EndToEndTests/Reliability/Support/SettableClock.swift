import Foundation
import TestSupport

/// The time of day of a server that a test starts, to be set while it runs.
struct SettableClock: Sendable {
  static let absent = "SKIPPED: there is no C compiler (clang, gcc), or what it makes cannot be loaded"
  private static let compilers = ["clang", "gcc", "cc"]

  /// The library that is loaded into the server, made once for a run of the tests.
  private static let library = Task { try await make() }
  private static let folder = Result { try TemporaryFolder() }

  static var isHere: Bool {
    get async { (try? await library.value) != nil }
  }

  private let file: String
  /// What runs the command that follows it under this clock.
  let launcher: [String]

  /// A clock that is the machine's until it is set.
  init(in folder: TemporaryFolder) async throws {
    file = folder.path("clock")
    // Beside what the tests themselves were loaded with.
    let loaded = [try await Self.library.value, ProcessInfo.processInfo.environment["LD_PRELOAD"]]
    launcher = [
      "/usr/bin/env", "CLOCK_OFFSET_FILE=\(file)",
      "LD_PRELOAD=\(loaded.compactMap(\.self).joined(separator: ":"))",
    ]
    try Self.octets(0).write(to: URL(fileURLWithPath: file))
  }

  /// Sets it so many seconds beside the machine's.
  func set(to seconds: Int64) throws {
    // In place: the server has the file mapped.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    try handle.write(contentsOf: Self.octets(seconds))
    try handle.close()
  }

  private static func octets(_ seconds: Int64) -> Data { withUnsafeBytes(of: seconds) { Data($0) } }

  private static func make() async throws -> String {
    let source = Fixtures.folder.deletingLastPathComponent().appendingPathComponent(
      "scripts/clock/set_clock.c")
    let made = try folder.get().path("set_clock.so")
    let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for compiler in compilers {
      for place in places where access("\(place)/\(compiler)", X_OK) == 0 {
        let ended = try await Program(
          path: "\(place)/\(compiler)",
          arguments: ["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", made, source.path]
        ).run()
        guard ended.exitCode == 0 else { continue }
        let tried = try await Program(path: "/bin/true", environment: ["LD_PRELOAD": made]).run()
        // A library that cannot be loaded is said, and otherwise passed over.
        if tried.exitCode == 0, tried.errors.isEmpty { return made }
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
