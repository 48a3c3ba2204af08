import Foundation
import Testing

@Suite("The description of the interface, in the program")
struct DescriptionTests {
  private static let absent = "SKIPPED: there is no Python with PyYAML (on Debian: python3-yaml)"

  /// Runs a command in the repository; its exit status and what it said.
  private static func run(_ arguments: String...) throws -> (status: Int32, said: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = Repository.top
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private static let hasYAML = (try? run("python3", "-c", "import yaml"))?.status == 0

  @Test("it is what docs/openapi.yaml says", .enabled(if: hasYAML, "\(absent)"))
  func current() throws {
    let (status, said) = try Self.run("python3", "scripts/openapi", "--check")
    #expect(status == 0, "\(said)")
  }
}
