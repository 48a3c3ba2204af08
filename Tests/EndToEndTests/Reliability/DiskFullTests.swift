import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

extension Reliability {
  @Suite("A full disk")
  struct DiskFullTests {
    /// The size of the file system, and how long things may take once there is room again.
    private static let mebibytes = 32
    private static let recovery = Duration.seconds(5)
    /// Seconds in which a phone gets one wake: long enough to fill the disk in.
    private static let window = 4
    /// How long it stays full: longer than anything gives up on the way.
    private static let full = Scale.of(full: Duration.seconds(90), small: .seconds(4))

    @Test(
      "the service stays up, wakes go on, what is written is answered 507, erasures follow, and nothing has to be restarted",
      .enabled(Comment(rawValue: Tools.noNamespace)) { await Tools.canMount })
    func full() async throws {
      let pushServer = try StandInPushServer()
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      try FileManager.default.createDirectory(
        atPath: state.path("state"), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      let launcher = [
        Tools.unshare, "-Urm", "/bin/sh", "-c",
        #"mount -t tmpfs -o size=\#(Self.mebibytes)m,mode=700 tmpfs "$0" && exec "$@""#, state.path("state"),
      ]
      let server = try await Server(
        state,
        ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "\(Self.window)", "WAKE_RATE_CHANGES": "off"],
        launcher: memory.launcher + launcher)
      do {
        try await Self.fill(server, pushServer, memory)
      } catch {
        pushServer.release("/up/late")
        _ = await server.stop()
        await pushServer.stop()
        throw error
      }
      #expect(await server.stop() == 0)
      await pushServer.stop()
    }

    private static func fill(_ server: Server, _ pushServer: StandInPushServer, _ memory: MemoryLimit)
      async throws
    {
      // No command reaches the store, which the server alone sees: the operator's door makes the stack known.
      let made = try await nsenter(server, ["stack", "add", "home", "--json"])
      let (stack, hook) = (
        try #require(made["stack"]?.string), try #require(made["hookToken"]?.string)
      )
      let late = try await server.register(stack, endpoint: "\(pushServer.origin)/up/late")
      let gone = try await server.register(stack, endpoint: "\(pushServer.origin)/up/gone")
      let waiting = try await server.register(stack, endpoint: "\(pushServer.origin)/up/waiting")
      let spare = try await server.code(stack)
      _ = await pushServer.wait(for: 3)
      let stream = try await StreamTests.open(stack, late.token, on: server)
      defer { stream.cancel() }
      let before = try ProcessUse(of: server.process.pid)

      // Two wakes are on their way when the disk fills up: one will be taken, and one endpoint is gone. A third phone is
      // owed one, which waits for its window's end.
      pushServer.hold("/up/late")
      pushServer.hold("/up/gone")
      pushServer.answer("/up/gone", with: 410)
      var kept = [try await server.raise(stack, hook)]
      _ = await pushServer.wait(for: 6)
      kept.append(try await server.raise(stack, hook))
      func wakes(of phone: Registered) -> Int {
        pushServer.messages.count { phone.endpoint.hasSuffix($0.target) }
      }
      #expect(wakes(of: waiting) == 2, "the window was over before the disk was full")
      let filler = server.inside("state/filler")
      try fillUp(filler)
      let begun = ContinuousClock.now
      kept += try await exhaust(stack, hook, late, on: server)
      pushServer.release("/up/late")
      pushServer.release("/up/gone")
      while begun.duration(to: .now) < full {
        try await expectFull(stack, hook, late, spare, on: server)
        try await Task.sleep(for: .milliseconds(200))
      }
      #expect(
        try await eventually(within: .seconds(2 * window)) { wakes(of: waiting) == 3 },
        "the wake that was owed did not go")
      let isErased = try await server.state(of: gone) == "gone"
      Figures.note("erasure on a full disk", isErased ? "while it was full" : "later")

      try FileManager.default.removeItem(atPath: filler)
      let freed = ContinuousClock.now
      #expect(
        try await eventually(within: recovery) {
          let reply = try await server.ask(
            "POST", "/v1/stacks/\(stack)/alerts", token: hook, json: ["kind": "problem"])
          if let id = reply.json["id"]?.string { kept.append(id) }
          return reply.status == 202
        })
      Figures.note("writes after a full disk", "after \(freed.duration(to: .now) / .milliseconds(1)) ms")
      #expect(try await eventually(within: recovery) { try await server.state(of: gone) == "gone" })
      Figures.note("erasure after a full disk", "after \(freed.duration(to: .now) / .milliseconds(1)) ms")
      // The phone whose wake went through meanwhile is told of the rest.
      #expect(try await eventually { wakes(of: late) >= 3 })
      let registered = try await server.register(
        stack, endpoint: "\(pushServer.origin)/up/new", code: spare)
      #expect(registered.device != late.device)
      let list = try await server.ask("GET", "/v1/stacks/\(stack)/alerts", token: late.token)
      let ids = list.json["alerts"]?.array?.compactMap { $0["id"]?.string } ?? []
      #expect(Set(kept).isSubset(of: ids), "an acknowledged alert is lost")
      let after = try ProcessUse(of: server.process.pid)
      #expect(after.descriptors <= before.descriptors + 8)
      try memory.expectKept(by: server, during: "a full disk")
    }

    /// Uses up what room the log still has, until writes of all sizes are refused; the ids of the last alerts before.
    private static func exhaust(
      _ stack: String, _ hook: String, _ phone: Registered, on server: Server
    ) async throws -> [String] {
      var ids: [String] = []
      let text = String(repeating: "x", count: 12_000)
      let device = "/v1/stacks/\(stack)/devices/\(phone.device)"
      for round in 0..<2_000 {
        var refusals = 0
        for alert in [["text": .string(text)], JSONValue.object([:])] {
          let reply = try await server.ask(
            "POST", "/v1/stacks/\(stack)/alerts", token: hook,
            json: ["kind": "problem", "wake": false, "alert": alert])
          if let id = reply.json["id"]?.string { ids.append(id) } else { refusals += 1 }
        }
        let patched = try await server.ask(
          "PATCH", device, token: phone.token, json: ["label": .string("\(round)")])
        if patched.status != 200 { refusals += 1 }
        if refusals == 3 { return Array(ids.suffix(100)) }
      }
      Issue.record("the disk never was full")
      return ids
    }

    private static func expectFull(
      _ stack: String, _ hook: String, _ phone: Registered, _ spare: String, on server: Server
    ) async throws {
      #expect(try await server.ask("GET", "/healthz", token: "").status == 200)
      let list = try await server.ask("GET", "/v1/stacks/\(stack)/alerts", token: phone.token)
      #expect(list.status == 200)
      let registration: JSONValue = [
        "client": .string(try Companion().client),
        "endpoint": "https://push.example/new", "keys": try Companion().keys,
      ]
      let device = "/v1/stacks/\(stack)/devices/\(phone.device)"
      for reply in [
        try await server.ask("POST", "/v1/stacks/\(stack)/alerts", token: hook, json: ["kind": "problem"]),
        try await server.ask("POST", "/v1/stacks/\(stack)/devices", token: spare, json: registration),
        try await server.ask("PATCH", device, token: phone.token, json: ["label": "other"]),
      ] {
        #expect(reply.status == 507 && reply.json["code"] == "storage-full", "\(reply.json.text)")
        #expect(reply.header("Content-Type") == "application/problem+json")
      }
    }

    /// Takes all the room that is left.
    private static func fillUp(_ path: String) throws {
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      defer { close(file) }
      let piece = [UInt8](repeating: 0, count: 4_096)
      while write(file, piece, piece.count) == piece.count {}
      #expect(errno == ENOSPC)
    }

    /// Runs a command beside the server, where its file system is.
    private static func nsenter(_ server: Server, _ words: [String]) async throws -> JSONValue {
      let ended = try await Program.wake(words, state: server.state)
        .launched(by: [
          "/usr/bin/nsenter", "-t", "\(server.process.pid)", "-U", "-m", "--preserve-credentials",
        ])
        .run()
      #expect(ended.exitCode == 0, "\(ended.errors)")
      return try ended.json
    }
  }
}
