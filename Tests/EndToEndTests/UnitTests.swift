import Foundation
import Glibc
import TestSupport
import Testing

/// systemd's own judgement, where it is installed.
private let hasSystemd = access("/usr/bin/systemd-analyze", X_OK) == 0

@Suite(
  "The example units of systemd", .enabled(if: hasSystemd, "SKIPPED: /usr/bin/systemd-analyze is not here"))
struct UnitTests {
  /// Runs systemd-analyze in a folder that has the units, with the program that was built in the place of the installed one.
  private func analyze(_ arguments: String...) async throws -> Ended {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let program = Program.wake([], state: folder).path
    for name in ["wake.service", "wake.socket"] {
      let text = try Fixtures.document("examples/systemd/\(name)")
        .replacing("/usr/local/bin/wake", with: program)
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    let units = arguments.last == "wake.service" ? [folder.path("wake.service")] : []
    return try await Program(
      path: "/usr/bin/systemd-analyze", arguments: arguments.dropLast(units.count) + units
    ).run()
  }

  @Test("systemd-analyze verify has nothing to say about them")
  func verified() async throws {
    let ended = try await analyze("verify", "--man=no", "wake.service")
    // Faults that are passed over are told too, with exit code 0.
    #expect(ended.exitCode == 0 && ended.output.isEmpty && ended.errors.isEmpty, "\(ended)")
  }

  @Test("what the service could do on the machine is little, by systemd's own measure")
  func hardened() async throws {
    // Tenths, of 10.0; what is left is that it speaks to the network.
    let ended = try await analyze(
      "security", "--offline=true", "--no-pager", "--threshold=20", "wake.service")
    #expect(ended.exitCode == 0, "\(ended.output.suffix(300))\(ended.errors)")
  }

  @Test("they name what the service does for systemd, and the memory that it may have")
  func lines() throws {
    let lines = Set(
      try Fixtures.document("examples/systemd/wake.service").split(separator: "\n").map(String.init))
    for line in [
      "Type=notify", "WatchdogSec=60", "ExecReload=/bin/kill -HUP $MAINPID", "MemoryMax=128M",
      "RestartPreventExitStatus=2 4",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }
}
