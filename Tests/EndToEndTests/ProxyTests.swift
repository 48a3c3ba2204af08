import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("The event stream through nginx", .enabled(if: Nginx.isHere, "\(Nginx.absent)"))
struct ProxyTests {
  @Test(
    "one that is idle for longer than nginx waits stays open, and what comes then comes at once (B25)",
    arguments: ["1.0", "1.1"])
  func idle(version: String) async throws {
    try await Self.with("proxy_read_timeout 15s; proxy_http_version \(version);") { server, nginx in
      let stack = try await StreamTests.stack(on: server)
      let token = try #require(try await StreamTests.devices(1, on: server, stack.id).first)
      let own = try await server.settledSockets()
      let stream = try await HTTPClient(unixSocket: nginx.socket).stream(
        "GET", "http://localhost/v1/stacks/\(stack.id)/events",
        headers: [("Authorization", "Bearer \(token)"), ("Accept-Encoding", "gzip")], idleSeconds: 30)
      #expect(stream.status == 200)
      #expect(stream.header("Content-Type") == "text/event-stream")
      #expect(stream.header("Content-Encoding") == nil)
      var reader = EventStreamReader()
      let opened = ContinuousClock.now
      // Heartbeats alone, which are comments, until the second after 20 s: 15 s without an octet end it.
      var heard: [EventStreamReader.Item] = []
      while ContinuousClock.now - opened < .seconds(20) {
        let piece = try #require(try await stream.next(), "it ended after \(ContinuousClock.now - opened)")
        heard += try reader.read(piece)
      }
      #expect(heard.allSatisfy { if case .event(let event) = $0 { event.event == "hello" } else { true } })
      let raised = ContinuousClock.now
      let reply = try await server.ask(
        "POST", "/v1/stacks/\(stack.id)/alerts", token: stack.hook,
        json: ["kind": "problem", "alert": ["disk": "sda"]])
      let id = try #require(reply.json["id"]?.string)
      while reader.lastEventID != id {
        _ = try reader.read(try #require(try await stream.next(), "it ended before the alert"))
      }
      #expect(ContinuousClock.now - raised < .seconds(10))
      stream.cancel()
      #expect(try await server.reaches(sockets: own, within: .seconds(10)))
    }
  }

  @Test("one whose client has left ends in the service too")
  func clientLeaves() async throws {
    try await Self.with("") { server, nginx in
      let stack = try await StreamTests.stack(on: server)
      let token = try #require(try await StreamTests.devices(1, on: server, stack.id).first)
      let own = try await server.settledSockets()
      var streams: [StreamedExchange] = []
      for _ in 1...4 {
        let stream = try await HTTPClient(unixSocket: nginx.socket).stream(
          "GET", "http://localhost/v1/stacks/\(stack.id)/events",
          headers: [("Authorization", "Bearer \(token)")], idleSeconds: 30)
        #expect(stream.status == 200)
        _ = try await stream.next()
        streams.append(stream)
      }
      #expect(try server.sockets() == own + 4)
      for stream in streams { stream.cancel() }
      #expect(try await server.reaches(sockets: own, within: .seconds(10)))
    }
  }

  /// Runs `body` with a server and an nginx in front of it, and ends both.
  private static func with(_ settings: String, body: (Server, Nginx) async throws -> Void) async throws {
    try await Server.with(["WAKE_TRUSTED_PROXIES": "127.0.0.1"]) { server in
      let nginx = try await Nginx(in: server.state, to: server.address, settings: settings)
      do {
        try await body(server, nginx)
      } catch {
        await nginx.stop()
        throw error
      }
      await nginx.stop()
    }
  }
}
