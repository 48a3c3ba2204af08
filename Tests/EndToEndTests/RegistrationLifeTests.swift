import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("The life of a registration, through the running program")
struct RegistrationLifeTests {
  @Test("the list tells two endpoints apart, and --stale names those that were not heard of for long")
  func lists() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let old = try await server.phone(pushServer, stack: "old")
      let new = try await server.phone(pushServer, stack: "new", target: "/up/other")
      let digests =
        try await server.json("device", "list").array?.compactMap { $0["endpointDigest"]?.string } ?? []
      #expect(digests.count == 2 && Set(digests).count == 2)
      #expect(digests.allSatisfy { $0.count == 8 && $0.allSatisfy(\.isHexDigit) })
      let store = server.state.path("state/wake.sqlite")
      _ = try StoreReading.texts("UPDATE devices SET since = 1 WHERE id = '\(old.device)'", in: store)
      let stale = try await server.json("device", "list", "--stale").array?.map { $0["device"]?.string }
      #expect(stale == [old.device])
      let heard = "UPDATE devices SET last_receipt_at = since WHERE id = '\(new.device)'"
      _ = try StoreReading.texts(heard, in: store)
      #expect(try await server.json("device", "list", "--stale", "--stack", "new") == [])
    }
    await pushServer.stop()
  }

  @Test("the running service sweeps what has had its time")
  func sweeping() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let pushServer = try StandInPushServer()
    let settings = ["WAKE_PUSH_ALLOW": pushServer.origin]
    let first = try await Server(state, settings)
    let gone = try await first.phone(pushServer, stack: "home")
    let stays = try await first.phone(pushServer, stack: "other", target: "/up/other")
    pushServer.answer("/up/phone", with: 410)
    _ = try await first.wake("device", "test", gone.device, "--wait", "0")
    #expect(await first.stop() == 0)
    let aged = "UPDATE devices SET gone_at = 1 WHERE gone_at IS NOT NULL"
    _ = try StoreReading.texts(aged, in: state.path("state/wake.sqlite"))

    let second = try await Server(state, settings)
    var left: [String?] = []
    let end = ContinuousClock.now + .seconds(60)
    repeat {
      left = try await second.json("device", "list").array?.map { $0["device"]?.string } ?? []
    } while left != [stays.device] && ContinuousClock.now < end
    #expect(left == [stays.device])
    let told = try await second.ask("GET", "/v1/stacks/\(gone.stack)/alerts", token: gone.token)
    #expect(told.status == 410)
    #expect(await second.stop() == 0)
    await pushServer.stop()
  }

  @Test(
    "behind a proxy that is named the log tells the client's address, and otherwise the proxy's",
    arguments: [true, false])
  func proxies(isNamed: Bool) async throws {
    try await Server.with(isNamed ? ["WAKE_TRUSTED_PROXIES": "127.0.0.1"] : [:]) { server in
      let client = Program(
        path: "/usr/bin/curl",
        arguments: [
          "-sS", "-o", "/dev/null", "-H", "X-Forwarded-For: 198.51.100.7",
          "http://\(server.address)/v1/stacks/none-there",
        ])
      #expect(try await client.run().exitCode == 0)
      let log = try server.log()
      #expect(log.contains("no valid token from \(isNamed ? "198.51.100.7" : "127.0.0.1")"))
      #expect(log.contains("198.51.100.7") == isNamed)
    }
  }

  @Test(
    "a backup replaces a backup and nothing else: not the store, its key, a device or a link",
    arguments: [
      "state/wake.sqlite", "state/service.key", "other", "link",
    ])
  func backupTarget(name: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let path = state.path(name)
    if name == "other" { try Data("something of mine".utf8).write(to: URL(fileURLWithPath: path)) }
    if name == "link" {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    }
    let before = try? Data(contentsOf: URL(fileURLWithPath: path))
    let refused = try await Program.wake(["backup", path, "--force"], state: state).run()
    #expect(refused.exitCode == 1 && refused.errors.contains("no backup"))
    let after = try? Data(contentsOf: URL(fileURLWithPath: path))
    #expect(after == before)
    let good = state.path("good.backup")
    for _ in 0..<2 {
      #expect(try await Program.wake(["backup", good, "--force"], state: state).run().exitCode == 0)
    }
    #expect(try await Program.wake(["stack", "list"], state: state).run().exitCode == 0)
  }

  @Test("of several tls init at once the last one's key and certificate stand there together")
  func certificates() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for _ in 0..<4 {
      try await withThrowingTaskGroup(of: Ended.self) { group in
        for _ in 0..<4 {
          group.addTask { try await Program.wake(["tls", "init", "--force"], state: state).run() }
        }
        for try await ended in group { #expect(ended.exitCode == 0, "\(ended.errors)") }
      }
      // It reads both, and refuses a pair that does not fit.
      let shown = try await Program.wake(["tls", "show"], state: state).run()
      #expect(shown.exitCode == 0, "\(shown.errors)")
    }
  }

  @Test("many commands at once lead an old store to the new schema, and none of them fails")
  func migratingTogether() async throws {
    let state = try StoreMigrationTests.state()
    defer { state.remove() }
    try await withThrowingTaskGroup(of: Ended.self) { group in
      for _ in 0..<8 {
        group.addTask { try await Program.wake(["stack", "list"], state: state).run() }
      }
      for try await ended in group { #expect(ended.exitCode == 0, "\(ended.errors)") }
    }
  }
}
