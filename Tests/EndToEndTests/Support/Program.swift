import Foundation
import StrictJSON

/// What a program that has ended left.
struct Ended: Sendable {
  let exitCode: Int32
  let output: String
  let errors: String

  /// Standard output as the one JSON document that it must be.
  var json: JSONValue { get throws { try StrictJSON.parse(Array(output.utf8)) } }
}

/// A program of the machine, run as a process of its own.
struct Program: Sendable {
  let path: String
  var arguments: [String] = []
  var environment: [String: String] = [:]

  /// Names another program than the one beside the tests: the release build, where something is measured.
  private static let builtElsewhere = ProcessInfo.processInfo.environment["WAKE_PROGRAM"]

  /// The `wake` that was built beside these tests.
  static func wake(_ arguments: [String], state: TemporaryFolder, _ environment: [String: String] = [:])
    -> Program
  {
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let folder = built.pathExtension == "xctest" ? built.deletingLastPathComponent() : built
    var settings = [
      "WAKE_STATE_DIR": state.path("state"), "WAKE_LISTEN": "127.0.0.1:0",
      "WAKE_PUBLIC_URL": "http://127.0.0.1",
    ]
    settings.merge(environment) { $1 }
    return Program(
      path: builtElsewhere ?? folder.appendingPathComponent("wake").path, arguments: arguments,
      environment: settings)
  }

  /// The same by way of a command that runs the command that follows it; itself where there is none.
  func launched(by launcher: [String]) -> Program {
    guard let first = launcher.first else { return self }
    return Program(
      path: first, arguments: launcher.dropFirst() + [path] + arguments, environment: environment)
  }

  /// The same without a folder for temporary files, where the thread sanitizer would make one first.
  func withoutTemporaryFolder() -> Program {
    Program(
      path: path, arguments: arguments, environment: environment.merging(["TMPDIR": "/none"]) { $1 })
  }

  /// Runs it to its end.
  func run(input: String = "") async throws -> Ended {
    let files = try TemporaryFolder()
    defer { files.remove() }
    let (output, errors) = (try files.newFile("output"), try files.newFile("errors"))
    try Data(input.utf8).write(to: URL(fileURLWithPath: files.path("input")))
    let given = try FileHandle(forReadingFrom: URL(fileURLWithPath: files.path("input")))
    let child = try Child(
      self, input: given.fileDescriptor, output: output.fileDescriptor, errors: errors.fileDescriptor)
    let exitCode = await child.exitCode()
    return Ended(exitCode: exitCode, output: try files.text("output"), errors: try files.text("errors"))
  }
}

/// A folder that goes when the test is done with it.
struct TemporaryFolder: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  func newFile(_ name: String) throws -> FileHandle {
    try Data().write(to: folder.appendingPathComponent(name))
    return try FileHandle(forWritingTo: folder.appendingPathComponent(name))
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
