import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

extension Reliability {
  @Suite("Descriptors that run out")
  struct DescriptorTests {
    /// What the server may have open, and how many connections a stranger opens, who says nothing on them.
    private static let limit = 256
    private static let strangers = 400
    private static let rounds = Scale.of(full: 10, small: 1)

    @Test(
      "by connections: others wait or are answered 503, wakes, streams and the operator go on, and all is well when they are gone",
      .enabled("SKIPPED: /usr/bin/prlimit is not here") { access(Tools.prlimit, X_OK) == 0 })
    func exhausted() async throws {
      let pushServer = try StandInPushServer()
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      let settings = ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0"]
      let launcher = [Tools.prlimit, "--nofile=\(Self.limit):\(Self.limit)"]
      try await Server.with(state, settings, launcher: memory.launcher + launcher) { server in
        try await Self.exhaust(server, pushServer, memory)
      }
      await pushServer.stop()
    }

    private static func exhaust(_ server: Server, _ pushServer: StandInPushServer, _ memory: MemoryLimit)
      async throws
    {
      let stack = try await StreamTests.stack(on: server)
      let phone = try await server.register(stack.id, endpoint: "\(pushServer.origin)/up/phone")
      _ = await pushServer.wait(for: 1)
      let stream = try await StreamTests.open(stack.id, phone.token, on: server)
      defer { stream.cancel() }
      var reader = EventStreamReader()
      let before = try ProcessUse(of: server.process.pid).descriptors
      let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
      var (refused, unanswered) = (0, 0)
      for round in 1...rounds {
        var connections: [RawHTTPConnection] = []
        for _ in 0..<strangers {
          if let connection = try? RawHTTPConnection(host: "127.0.0.1", port: port) {
            connections.append(connection)
          }
        }
        // As many as one address may have, and a few that are let in to be told so.
        #expect(
          try await eventually {
            try ProcessUse(of: server.process.pid).descriptors > before + limit / 4
          })
        // The operator raises an alert by a socket of its own; the phone is woken, and its stream has the alert.
        let sent = try await server.admin("POST", "/stacks/\(stack.id)/alerts", json: ["kind": "problem"])
        #expect(sent.status == 202, "\(sent.json.text)")
        #expect(await pushServer.wait(for: 1 + round).count == 1 + round)
        var heard: [String] = []
        while heard.isEmpty, let piece = try await stream.next() {
          for case .event(let event) in try reader.read(piece) where event.event == "alert" {
            heard.append(event.id)
          }
        }
        #expect(heard == [sent.json["id"]?.string])
        let listed = try await server.json("device", "list")
        #expect(listed.array?.count == 1)
        // Somebody new is told to come back, or waits; nothing else.
        for _ in 0..<4 {
          let http = HTTPClient(timeoutMilliseconds: 1_000)
          guard let reply = try? await http.send("GET", "http://\(server.address)/healthz") else {
            unanswered += 1
            continue
          }
          #expect(reply.status == 503 || reply.status == 200, "\(reply.status)")
          if reply.status == 503 {
            refused += 1
            #expect(reply.header("Retry-After") != nil)
          }
        }
        connections = []
        #expect(
          try await eventually {
            (try? await server.ask("GET", "/healthz", token: "").status) == 200
          }, "nobody new is served after the strangers have left")
      }
      #expect(refused + unanswered > 0, "there was room for everybody")
      #expect(
        try await eventually { try ProcessUse(of: server.process.pid).descriptors <= before + 4 },
        "descriptors were not closed")
      Figures.note(
        "descriptors run out (\(limit))",
        "\(rounds) times: new connections \(refused) times 503, \(unanswered) times waiting; 0 wakes missed")
      try memory.expectKept(by: server, during: "descriptors run out")
    }
  }
}
