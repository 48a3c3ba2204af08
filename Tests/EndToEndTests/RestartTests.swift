import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("Starting, ending and starting again")
struct RestartTests {
  @Test("keys, tokens and alerts outlast a restart, and kill -9 (B08)", arguments: [SIGTERM, SIGKILL])
  func outlast(signal: Int32) async throws {
    let pushServer = try StandInPushServer()
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0"]
    let first = try await Server(state, settings)
    let phone = try await first.phone(pushServer, stack: "home")
    let raised = try await first.ask(
      "POST", "/v1/stacks/\(phone.stack)/alerts", token: phone.hook, json: ["kind": "backup"])
    #expect(raised.status == 202)
    let before = await pushServer.wait(for: 2).compactMap { $0.header("Authorization") }.map(key)
    first.process.signal(signal)
    #expect(await first.process.exitCode() == (signal == SIGTERM ? 0 : -SIGKILL))

    let second = try await Server(state, settings)
    let list = try await second.ask("GET", "/v1/stacks/\(phone.stack)/alerts", token: phone.token)
    #expect(list.json["alerts"]?.array?.map { $0["id"] } == [raised.json["id"]])
    let again = try await second.ask(
      "POST", "/v1/stacks/\(phone.stack)/alerts", token: phone.hook, json: ["kind": "problem"])
    #expect(again.status == 202)
    let after = await pushServer.wait(for: 3).compactMap { $0.header("Authorization") }.map(key)
    #expect(after.count == 3 && Set(before + after).count == 1)
    #expect(await second.stop() == 0)
    await pushServer.stop()
  }

  @Test("the folder is the owner's alone, the key's file too")
  func modes() async throws {
    try await Server.with { server in
      for (name, mode) in [
        ("state", 0o700), ("state/service.key", 0o600), ("state/wake.sqlite", 0o600),
        ("state/admin.sock", 0o600),
      ] {
        let attributes = try FileManager.default.attributesOfItem(atPath: server.state.path(name))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
      }
    }
  }

  /// A fault of the key's file, and what the refusal says.
  struct KeyFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (String) async throws -> Void
  }

  static let keyFaults = [
    KeyFault(testDescription: "missing") { try FileManager.default.removeItem(atPath: $0) },
    KeyFault(testDescription: "empty") { try Data().write(to: URL(fileURLWithPath: $0)) },
    KeyFault(testDescription: "readable by others") {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: $0)
    },
    KeyFault(testDescription: "a folder") {
      try FileManager.default.removeItem(atPath: $0)
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
    },
    KeyFault(testDescription: "another key") { path in
      let other = try TemporaryFolder()
      defer { other.remove() }
      _ = try await Program.wake(["stack", "add", "x"], state: other).run()
      let key = try Data(contentsOf: URL(fileURLWithPath: other.path("state/service.key")))
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: key)
    },
  ]

  @Test(
    "a service key that is there but cannot be used is a refusal to start, never a new key (B08)",
    arguments: keyFaults)
  func keyFault(fault: KeyFault) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    try await fault.make(state.path("state/service.key"))
    let store = try Data(contentsOf: URL(fileURLWithPath: state.path("state/wake.sqlite")))
    for arguments in [["serve"], ["stack", "list"], ["stack", "add", "other"]] {
      let ended = try await Program.wake(arguments, state: state).run()
      #expect(ended.exitCode == 4, "\(arguments)")
      #expect(ended.output.isEmpty, "\(arguments)")
      #expect(
        ended.errors.contains("service.key") || ended.errors.contains("the service key"),
        "\(arguments): \(ended.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: state.path("state/wake.sqlite"))) == store)
  }

  @Test(
    "of two servers that start at once on an empty folder one serves, the other leaves with exit code 4 (B08)"
  )
  func serversRace() async throws {
    for _ in 0..<3 {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let racers = try (0..<2).map { _ in try LineProcess(.wake(["serve", "--json"], state: state)) }
      let first = try await withThrowingTaskGroup(of: (Int, JSONValue?).self) { group in
        for (index, racer) in racers.enumerated() { group.addTask { (index, try await racer.next()) } }
        return try await group.reduce(into: [Int: JSONValue]()) { $0[$1.0] = $1.1 }
      }
      #expect(first.count == 1)
      let winner = try #require(first.keys.first)
      #expect(await racers[1 - winner].exitCode() == 4)
      racers[winner].signal(SIGTERM)
      #expect(await racers[winner].exitCode() == 0)
    }
  }

  @Test("the time to live goes from the setting to the wire, 0 too (B16)", arguments: ["0", "60", nil])
  func timeToLive(setting: String?) async throws {
    let pushServer = try StandInPushServer()
    var settings = ["WAKE_PUSH_ALLOW": pushServer.origin]
    settings["WAKE_TTL"] = setting
    try await Server.with(settings) { server in
      _ = try await server.phone(pushServer, stack: "home")
      let message = try #require(await pushServer.wait(for: 1).first)
      #expect(message.header("TTL") == setting ?? "86400")
    }
    await pushServer.stop()
  }

  @Test("the log says where the store is, loudly where it is new, and no log that is gone ends the server")
  func log() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let errors = Pipe()
    let process = try LineProcess(
      .wake(["serve", "--json"], state: state), errors: errors.fileHandleForWriting)
    _ = try #require(try await process.next())
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("NEW, empty store") && said.contains(state.path("state/wake.sqlite")))
    try errors.fileHandleForWriting.close()
    try errors.fileHandleForReading.close()
    process.signal(SIGTERM)
    #expect(await process.exitCode() == 0)
  }

  @Test("first commands at once end with one store and one key (B08)")
  func race() async throws {
    for _ in 0..<5 {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let ended = try await withThrowingTaskGroup(of: Ended.self) { group in
        for label in ["one", "two", "three"] {
          group.addTask { try await Program.wake(["stack", "add", label], state: state).run() }
        }
        return try await group.reduce(into: [Ended]()) { $0.append($1) }
      }
      #expect(ended.map(\.exitCode) == [0, 0, 0], "\(ended.map(\.errors))")
      let list = try await Program.wake(["stack", "list", "--json"], state: state).run()
      #expect(try list.json.array?.count == 3)
    }
  }

  @Test("a second server on the folder leaves with exit code 4, and the first goes on")
  func secondServer() async throws {
    try await Server.with { server in
      let second = try await server.wake("serve")
      #expect(second.exitCode == 4 && second.errors.contains("another server"))
      #expect(try await server.ask("GET", "/healthz", token: "").status == 200)
      #expect(try await server.json("stack", "add", "home")["stack"] != nil)
    }
  }

  @Test(
    "a second server on the same file by another name leaves with exit code 4, and touches nothing",
    arguments: ["symbolic", "hard"])
  func secondName(link: String) async throws {
    try await Server.with { server in
      let store = server.state.path("state/wake.sqlite")
      try FileManager.default.createDirectory(
        atPath: server.state.path("other"), withIntermediateDirectories: false)
      let name = server.state.path("other/linked.sqlite")
      if link == "hard" {
        try FileManager.default.linkItem(atPath: store, toPath: name)
      } else {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: store)
      }
      try FileManager.default.copyItem(
        atPath: server.state.path("state/service.key"), toPath: server.state.path("other/service.key"))
      let second = try await Program.wake(
        ["serve"], state: server.state,
        ["WAKE_STATE_DIR": server.state.path("other"), "WAKE_DATABASE": "sqlite:\(name)"]
      ).run()
      #expect(second.exitCode == 4 && second.errors.contains("another server"), "\(second)")
      // No log of SQLite's stands beside the other name.
      let made = Set(try FileManager.default.contentsOfDirectory(atPath: server.state.path("other")))
      #expect(made.isDisjoint(with: ["linked.sqlite-wal", "linked.sqlite-shm"]), "\(made)")
      #expect(try await server.json("stack", "add", "home")["stack"] != nil)
      #expect(try await server.ask("GET", "/readyz", token: "").status == 200)
    }
  }

  /// The public key that a VAPID field names.
  private func key(_ field: String) -> String { String(field.split(separator: "=").last ?? "") }
}
