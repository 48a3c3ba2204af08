import Foundation
import Testing

extension Reliability {
  @Suite("The limit of memory that the others run under")
  struct MemoryLimitTests {
    @Test(
      "ends what needs more, and says so",
      .enabled(MemoryLimit.unavailable) { MemoryLimit.isHere })
    func bites() async throws {
      let limit = MemoryLimit()
      defer { limit.remove() }
      // tail keeps all of a line that has no end.
      let greedy = Program(
        path: "/bin/sh", arguments: ["-c", "head -c \(2 * MemoryLimit.mebibytes)m /dev/zero | tail"])
      _ = try await greedy.launched(by: limit.launcher).run()
      #expect(try limit.kills > 0)
      let modest = MemoryLimit()
      defer { modest.remove() }
      #expect(try await Program(path: "/bin/true").launched(by: modest.launcher).run().exitCode == 0)
      #expect(try modest.kills == 0)
    }
  }
}
