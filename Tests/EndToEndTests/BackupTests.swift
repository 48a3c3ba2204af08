import Foundation
import StrictJSON
import Testing

@Suite("wake backup and wake verify")
struct BackupTests {
  @Test("a backup is made while the service runs, and says what is in it; verify says the same")
  func running() async throws {
    try await Server.with { server in
      _ = try await server.json("stack", "add", "home")
      _ = try await server.json("send", "home", "problem")
      let file = server.state.path("one.backup")
      let made = try await server.json("backup", file)
      #expect(
        made.object?.names
          == ["file", "bytes", "madeAt", "schema", "stacks", "devices", "alerts", "withKey"])
      #expect(made["file"]?.string == file && made["withKey"] == false)
      #expect(made["stacks"] == 1 && made["alerts"] == 1)
      #expect(try await server.json("verify", file) == made)

      let people = try await server.wake("backup", server.state.path("two.backup"))
      #expect(people.exitCode == 0 && people.errors.isEmpty)
      #expect(people.output.contains("service.key") && people.output.contains("worthless"))

      let again = try await server.wake("backup", file)
      #expect(again.exitCode == 1 && again.errors.contains("--force") && again.output.isEmpty)
      #expect(try await server.wake("backup", file, "--force").exitCode == 0)
    }
  }

  @Test("verify needs no store, and says in one line and with exit code 1 what is wrong")
  func damaged() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let file = state.path("backup")
    #expect(try await Program.wake(["backup", file], state: state).run().exitCode == 0)
    var octets = try Data(contentsOf: URL(fileURLWithPath: file))
    octets[octets.count / 2] ^= 1
    try octets.write(to: URL(fileURLWithPath: file))
    try FileManager.default.removeItem(atPath: state.path("state"))
    for flags in [[], ["--json"]] {
      let ended = try await Program.wake(["verify", file] + flags, state: state).run()
      #expect(ended.exitCode == 1 && ended.output.isEmpty)
      #expect(ended.errors.contains("damaged") && ended.errors.split(separator: "\n").count == 1)
    }
    #expect(!FileManager.default.fileExists(atPath: state.path("state")))
  }

  @Test("the service key goes in under the first line of a file that nobody else can read")
  func withKey() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let passphrase = state.path("passphrase")
    try Data("correct horse battery staple\nnot this\n".utf8).write(to: URL(fileURLWithPath: passphrase))
    let file = state.path("backup")
    let command = ["backup", file, "--with-key", "--passphrase-file", passphrase]
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: passphrase)
    let readable = try await Program.wake(command, state: state).run()
    #expect(readable.exitCode == 1 && readable.errors.contains("chmod 600"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passphrase)
    let made = try await Program.wake(command + ["--json"], state: state).run()
    #expect(try made.json["withKey"] == true)
    let key = try String(contentsOfFile: state.path("state/service.key"), encoding: .utf8)
    let secret = Data(key.split(separator: " ")[1].utf8.dropLast())
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: secret) == nil)

    try Data("short\n".utf8).write(to: URL(fileURLWithPath: passphrase))
    let short = try await Program.wake(command + ["--force"], state: state).run()
    #expect(short.exitCode == 1 && short.errors.contains("12") && !short.errors.contains("short\n"))
  }

  @Test("wrong usage of backup is exit code 2", arguments: [["-"], [], ["a", "--passphrase-file", "b"]])
  func usage(arguments: [String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["backup"] + arguments, state: state).run().exitCode == 2)
  }
}
