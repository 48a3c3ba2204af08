import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("wake restore")
struct RestoreTests {
  @Test("a running server is exit code 4, with and without --force, and goes on as before")
  func running() async throws {
    try await Server.with { server in
      _ = try await server.json("stack", "add", "home")
      let file = server.state.path("backup")
      _ = try await server.json("backup", file)
      for flags in [[], ["--force"]] {
        let ended = try await Program.wake(["restore", file] + flags, state: server.state).run()
        #expect(ended.exitCode == 4 && ended.errors.contains("stop the server first"))
      }
      #expect(try await server.json("stack", "list").array?.count == 1)
    }
  }

  @Test(
    "another machine serves what the first one did: the phone's token and cursor, and the numbering in a new epoch"
  )
  func anotherMachine() async throws {
    let pushServer = try StandInPushServer()
    let away = try TemporaryFolder()
    defer { away.remove() }
    let passphrase = away.path("passphrase")
    #expect(
      FileManager.default.createFile(
        atPath: passphrase, contents: Data("correct horse battery staple\n".utf8),
        attributes: [.posixPermissions: 0o600]))
    let file = away.path("backup")
    let settings = ["WAKE_PUSH_ALLOW": pushServer.origin]
    var phone: (stack: String, token: String)?
    var cursor = ""
    try await Server.with(settings) { server in
      let paired = try await server.phone(pushServer, stack: "home")
      phone = (paired.stack, paired.token)
      cursor = try #require(try await server.json("send", "home", "problem")["id"]?.string)
      _ = try await server.json("backup", file, "--with-key", "--passphrase-file", passphrase)
    }
    let (stack, token) = try #require(phone)

    let state = try TemporaryFolder()
    defer { state.remove() }
    let silent = try await Program.wake(["restore", file, "--passphrase-file", file], state: state).run()
    #expect(silent.exitCode == 1)
    let restored = try await Program.wake(
      ["restore", file, "--passphrase-file", passphrase, "--json"], state: state
    ).run()
    #expect(restored.exitCode == 0, "\(restored.errors)")
    #expect(restored.errors.contains("warning") && restored.errors.contains("--revoke-tokens"))
    #expect(try restored.json["keyInstalled"] == true && restored.json["before"] == .null)

    let server = try await Server(state, settings)
    let id = try #require(try await server.json("send", "home", "problem")["id"]?.string)
    #expect(id.hasSuffix("-2") && id.prefix(8) != cursor.prefix(8))
    let path = "/v1/stacks/\(stack)/alerts?after=\(cursor)"
    let page = try await server.ask("GET", path, token: token)
    #expect(page.status == 200 && page.json["gap"] == .null)
    #expect(page.json["alerts"]?.array?.compactMap { $0["id"]?.string } == [id])
    #expect(await server.stop() == 0)

    let refused = try await Program.wake(["restore", file], state: state).run()
    #expect(refused.exitCode == 1 && refused.errors.contains("--force"))
    let forced = try await Program.wake(
      ["restore", file, "--force", "--revoke-tokens", "--json"], state: state
    ).run()
    #expect(forced.exitCode == 0 && forced.errors.isEmpty)
    let before = try #require(try forced.json["before"]?.string)
    #expect(before.hasPrefix(state.path("state/wake.sqlite.before-restore-")))
    #expect(FileManager.default.fileExists(atPath: before))
    let again = try await Server(state, settings)
    #expect(try await again.ask("GET", path, token: token).status == 410)
    #expect(try await again.json("device", "list") == [])
    _ = try await again.json("stack", "hook-token", "add", "home", "core")
    #expect(await again.stop() == 0)
    await pushServer.stop()
  }

  @Test("a damaged backup touches nothing, and makes no folder")
  func damaged() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    try Data("wake-backup-1\n{}\n".utf8).write(to: URL(fileURLWithPath: state.path("backup")))
    let ended = try await Program.wake(["restore", state.path("backup"), "--force"], state: state).run()
    #expect(ended.exitCode == 1 && ended.errors.contains("damaged"))
    #expect(!FileManager.default.fileExists(atPath: state.path("state")))
  }
}
