import Foundation
import Glibc
import StrictJSON
import Testing

@Suite(
  "A store that this user may not use is named, with whose it is and what to type",
  .enabled(Restriction.absent) { await Restriction.isHere() })
struct ClosedStoreTests {
  /// What opens the store, and what goes through the server.
  static let commands = [
    ["device", "list"], ["stack", "list"], ["stack", "add", "other"], ["pair", "home"], ["attempts"],
    ["backup", "file"], ["send", "home", "problem"], ["device", "test", "aaaaaaaaaaaaaaaaaaaaaaaaaa"],
    ["serve"],
    ["tls", "show"], ["service-key", "rotate"], ["doctor", "--json"],
  ]

  private static let nobody: uid_t = 65_534

  private static func withStore(_ body: (TemporaryFolder) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: folder).run().exitCode == 0)
    try await body(folder)
  }

  private func expectClosed(
    _ ended: Ended, exitCode: Int32 = 3, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(ended.exitCode == exitCode, "\(ended.output)\(ended.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect((ended.output + ended.errors).contains(word), "\(ended.output)\(ended.errors)")
    }
    #expect(!ended.errors.contains("there is no store"))
  }

  @Test("a state folder of another user", arguments: commands)
  func folder(command: [String]) async throws {
    try await Self.withStore { folder in
      let state = folder.path("state")
      #expect(chown(state, Self.nobody, Self.nobody) == 0)
      let ended = try await Program.wake(command, state: folder).launched(by: Restriction.byModes).run()
      expectClosed(ended, "\(state) belongs to the user nobody", "sudo -u nobody wake")
      if command.first == "doctor" { #expect(try ended.json["fault"] == "store") }
    }
  }

  @Test("a report says so too, and not whose it is or where")
  func report() async throws {
    try await Self.withStore { folder in
      #expect(chown(folder.path("state"), Self.nobody, Self.nobody) == 0)
      let ended = try await Program.wake(["doctor", "--report", folder.path("report")], state: folder)
        .launched(by: Restriction.byModes).run()
      expectClosed(ended, "sudo -u nobody")
      let text = try folder.text("report")
      #expect(text.contains("<state> belongs to the user <owner>") && text.contains("sudo -u <owner> wake"))
      #expect(!text.contains("nobody") && !text.contains(folder.path("")), "\(text)")
    }
  }

  @Test("what root finds of another user, who would not find its own files any more", arguments: commands)
  func root(command: [String]) async throws {
    try await Self.withStore { folder in
      let key = folder.path("state/service.key")
      #expect(chown(key, Self.nobody, Self.nobody) == 0)
      guard !["tls", "device"].contains(command[0]) || command[1] == "list" else { return }
      expectClosed(
        try await Program.wake(command, state: folder).run(), "\(key) belongs to the user nobody",
        "sudo -u nobody")
    }
  }

  @Test("one of this user's own that its mode keeps out", arguments: [0o000, 0o500])
  func mode(mode: mode_t) async throws {
    try await Self.withStore { folder in
      let state = folder.path("state")
      #expect(chmod(state, mode) == 0)
      for command in [["device", "list"], ["doctor", "--json"]] {
        let ended = try await Program.wake(command, state: folder).launched(by: Restriction.byModes).run()
        expectClosed(ended, "chmod u+rwX \(state)")
      }
      #expect(chmod(state, 0o700) == 0)
    }
  }

  @Test("a file system that is read-only")
  func readOnly() async throws {
    try await Self.withStore { folder in
      let state = folder.path("state")
      for command in [["device", "list"], ["doctor", "--json"]] {
        let ended = try await Program.wake(command, state: folder).launched(by: Restriction.readOnly(state))
          .run()
        expectClosed(
          ended, exitCode: 4, "\(state)/wake.sqlite lies on a file system that is read-only", "remount,rw")
      }
    }
  }
}
