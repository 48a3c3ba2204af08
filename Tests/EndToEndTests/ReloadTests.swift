import Foundation
import Glibc
import HTTPClient
import StrictJSON
import Testing

@Suite("A service that is asked to read its settings again")
struct ReloadTests {
  private static func write(_ text: String, to state: TemporaryFolder) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: state.path("wake.conf")))
  }

  /// Runs `body` with a server that reads `wake.conf`.
  private func with(_ text: String, body: (Server) async throws -> Void) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    try Self.write(text, to: state)
    let server = try await Server(state, arguments: ["--config", state.path("wake.conf")])
    do { try await body(server) } catch {
      _ = await server.stop()
      throw error
    }
    #expect(await server.stop() == 0)
  }

  /// Waits until the log says something.
  private func said(_ words: String, in server: Server) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try !server.log().contains(words) {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(20))
    }
    return true
  }

  @Test("the log's level changes at once, and what has to wait is named without its value")
  func level() async throws {
    try await with("WAKE_LOG_LEVEL=warning\n") { server in
      #expect(try await server.ask("GET", "/healthz", token: "").status == 200)
      #expect(try !server.log().contains("GET /healthz"))
      try Self.write(
        "WAKE_LOG_LEVEL=debug\nWAKE_TTL=60\nWAKE_CONTACT=mailto:hidden@example.org\n", to: server.state)
      server.process.signal(SIGHUP)
      #expect(try await said("wait for the next start: WAKE_CONTACT, WAKE_TTL", in: server))
      #expect(try !server.log().contains("hidden@example.org"))
      #expect(try await server.ask("GET", "/healthz", token: "").status == 200)
      #expect(try await said("GET /healthz", in: server))
    }
  }

  @Test("settings that are wrong change nothing, and are told in one line; the next that are right are taken")
  func wrong() async throws {
    try await with("WAKE_LOG_LEVEL=info\n") { server in
      try Self.write("WAKE_LOG_LEVEL=loud\n", to: server.state)
      server.process.signal(SIGHUP)
      #expect(try await said("are wrong; those in force stay: WAKE_LOG_LEVEL", in: server))
      #expect(try await server.ask("GET", "/healthz", token: "").status == 200)
      try FileManager.default.removeItem(atPath: server.state.path("wake.conf"))
      server.process.signal(SIGHUP)
      #expect(try await said("cannot be read", in: server))
      try Self.write("WAKE_LOG_LEVEL=error\n", to: server.state)
      server.process.signal(SIGHUP)
      #expect(try await said("written from error on", in: server))
    }
  }

  @Test("signals in any number neither end it nor lose an alert")
  func often() async throws {
    try await with("") { server in
      let stack = try await server.json("stack", "add", "home")
      let (id, hook) = (try #require(stack["stack"]?.string), try #require(stack["hookToken"]?.string))
      for _ in 0..<20 {
        server.process.signal(SIGHUP)
        let raised = try await server.ask(
          "POST", "/v1/stacks/\(id)/alerts", token: hook, json: ["kind": "problem"])
        #expect(raised.status == 202)
      }
      let list = try await server.ask("GET", "/v1/stacks/\(id)/alerts?limit=200", token: hook)
      #expect(list.json["alerts"]?.array?.count == 20)
    }
  }
}
