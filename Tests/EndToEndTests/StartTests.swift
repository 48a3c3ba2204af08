import Foundation
import TestSupport
import Testing

@Suite("A service that is only just starting")
struct StartTests {
  /// Runs a server whose service key takes a while to come, and does something in that time.
  private func starting(
    _ state: TemporaryFolder, meanwhile: (Child) throws -> Void
  ) async throws -> (exitCode: Int32, log: String) {
    let (here, goOn) = (state.path("here"), state.path("go-on"))
    let key = "wake-service-key-1 \(String(repeating: "A", count: 43))"
    // It ends with the test's folder too: a server that was told to end leaves it behind.
    let command =
      "touch '\(here)'; while [ -e '\(here)' ] && [ ! -e '\(goOn)' ]; do sleep 0.05; done; echo '\(key)'"
    let (output, errors) = (try state.newFile("output"), try state.newFile("log"))
    let child = try Child(
      .wake(["serve"], state: state, ["WAKE_SERVICE_KEY_COMMAND": command]),
      input: FileHandle.nullDevice.fileDescriptor, output: output.fileDescriptor,
      errors: errors.fileDescriptor)
    #expect(try await eventually { access(here, F_OK) == 0 })
    try meanwhile(child)
    try Data().write(to: URL(fileURLWithPath: goOn))
    // Either it listens after all, or it is there no more.
    if try await eventually({ try state.text("log").contains("listening on") || kill(child.pid, 0) != 0 }),
      try state.text("log").contains("listening on")
    {
      child.signal(SIGTERM)
    }
    return (await child.exitCode(), try state.text("log"))
  }

  @Test("goes on when it is asked to read its settings again")
  func reload() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await starting(state) { $0.signal(SIGHUP) }
    #expect(ended.exitCode == 0 && ended.log.contains("listening on"), "\(ended.log)")
  }

  @Test(
    "ends at once, and in order, when it is asked to",
    .disabled(if: Sanitizer.seesThreads, "the thread sanitizer holds signals back until the key has come"),
    arguments: [SIGTERM, SIGINT])
  func end(number: Int32) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await starting(state) { $0.signal(number) }
    #expect(ended.exitCode == 0 && !ended.log.contains("listening on"), "\(ended.log)")
  }

  @Test(
    "does not start with so few descriptors that strangers could take all",
    .enabled("SKIPPED: /usr/bin/prlimit is not here") { access(Tools.prlimit, X_OK) == 0 })
  func descriptors() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(["serve"], state: state)
      .launched(by: [Tools.prlimit, "--nofile=100:100"]).run()
    #expect(ended.exitCode == 1 && ended.errors.contains("LimitNOFILE"), "\(ended.errors)")
    // Nothing was made.
    #expect(access(state.path("state"), F_OK) != 0)
  }
}
