import Foundation
import Glibc
import Testing

@Suite("An answer that cannot be written")
struct UnwrittenAnswerTests {
  static let commands = [
    ["help"], ["help", "stack"], ["--version"], ["kinds"], ["doctor"], ["doctor", "--json"],
  ]

  @Test("on a full disk it is one line on standard error, and a failure", arguments: commands)
  func full(command: [String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(command, state: state)
      .launched(by: ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"]).run()
    #expect(ended.exitCode == (command[0] == "doctor" ? 3 : 1))
    #expect(ended.errors == "wake: standard output cannot be written: No space left on device\n")
  }

  @Test("a reader that went away is no news, and the exit code is that of programs that SIGPIPE ends")
  func readerLeft() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for (command, exitCode, said) in [
      (["kinds"], 141, ""), (["help"], 141, ""), (["doctor"], 3, "wake: broken at: store\n"),
    ] {
      let errors = try state.newFile("errors")
      let nothing = open("/dev/null", O_RDONLY)
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      close(ends[0])
      let child = Result {
        try Child(
          .wake(command, state: state), input: nothing, output: ends[1], errors: errors.fileDescriptor)
      }
      close(nothing)
      close(ends[1])
      #expect(await (try child.get()).exitCode() == Int32(exitCode), "\(command)")
      #expect(try state.text("errors") == said, "\(command)")
    }
  }
}
