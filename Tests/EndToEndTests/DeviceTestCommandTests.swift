import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("wake device test tells what came of it in one line (B20)")
struct DeviceTestCommandTests {
  private static let answers: [(status: Int, outcome: String)] = [
    (201, "accepted"), (404, "gone"), (410, "gone"), (429, "throttled"), (507, "unsubscribed"),
    (401, "refused"),
    (403, "refused"), (413, "oversize"), (400, "rejected"), (302, "redirected"), (500, "server"),
  ]

  @Test("exit code, status, push server and device for every outcome, and never the endpoint")
  func outcomes() async throws {
    var servers: [RawServer] = []
    defer { for server in servers { server.stop() } }
    for answer in Self.answers {
      // The activation wake is taken, whatever follows: it must not erase the endpoint.
      servers.append(
        try RawServer {
          .status($0.connection == 0 && $0.indexOnConnection == 0 ? 201 : answer.status)
        })
    }
    let dead = try RawServer { _ in .status(201) }
    dead.stop()
    let allow = (servers + [dead]).map { "http://127.0.0.1:\($0.port)" }.joined(separator: ",")
    try await Server.with(["WAKE_PUSH_ALLOW": allow]) { server in
      let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      for (index, pushServer) in (servers + [dead]).enumerated() {
        let answer = index < servers.count ? Self.answers[index] : (status: 0, outcome: "network")
        let (origin, outcome) = ("http://127.0.0.1:\(pushServer.port)", answer.outcome)
        let device = try await server.device(endpoint: "\(origin)/up/secret", stack: stack)
        if index < servers.count { await pushServer.wait(requests: 1) }
        let ended = try await server.wake("device", "test", device, "--wait", "0")
        let line = outcome == "accepted" ? ended.output : ended.errors
        #expect(ended.exitCode == (outcome == "accepted" ? 0 : 1), "\(outcome): \(ended.errors)")
        #expect(line.split(separator: "\n").count == 1, "\(line)")
        let words = [device, outcome, origin] + (answer.status == 0 ? [] : ["status \(answer.status)"])
        #expect(words.allSatisfy(line.contains), "\(line)")
        #expect(!ended.output.contains("secret") && !ended.errors.contains("secret"))
      }
    }
  }

  @Test("a 507 keeps the registration, and the next 201 clears it, by the hook as well")
  func unsubscribed() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0"]) { server in
      let phone = try await server.phone(pushServer, stack: "home")
      _ = await pushServer.wait(for: 1)
      func outcomes(after count: Int) async throws -> [String?] {
        _ = await pushServer.wait(for: count)
        while true {
          let rows = try await server.json("attempts").array ?? []
          if rows.count == count, !rows.contains(where: { $0["outcome"] == "unknown" }) {
            return rows.map { $0["outcome"]?.string }
          }
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      func state() async throws -> JSONValue? {
        try await server.json("device", "list").array?.first?["state"]
      }
      #expect(try await outcomes(after: 1) == ["accepted"])
      pushServer.answer("/up/phone", with: 507)
      #expect(try await server.wake("send", "home", "problem").exitCode == 0)
      #expect(try await outcomes(after: 2).first == "unsubscribed")
      #expect(try await state() == "undelivered")
      pushServer.answer("/up/phone", with: 201)
      #expect(try await server.wake("send", "home", "problem").exitCode == 0)
      #expect(try await outcomes(after: 3).first == "accepted")
      #expect(try await state() == "unconfirmed")
      #expect(try await server.json("device", "list").array?.first?["device"]?.string == phone.device)
    }
    await pushServer.stop()
  }
}
