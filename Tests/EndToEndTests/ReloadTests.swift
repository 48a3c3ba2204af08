import Foundation
import Glibc
import HTTPClient
import StrictJSON
import TestSupport
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

  /// The certificate and its key of a state folder, made by the program, and the fingerprint.
  private static func makeCertificate(in state: TemporaryFolder) async throws -> String {
    let made = try await Program.wake(["tls", "init", "--host", "127.0.0.1", "--json"], state: state).run()
    return try #require(try made.json["fingerprint"]?.string, "\(made.errors)")
  }

  /// Moves files of a state folder into the place of a server's own, asks it to look, and waits until it says that it did.
  private static func put(
    _ names: [String], of state: TemporaryFolder, before server: Server, reload: Int
  ) throws {
    for name in names {
      try #require(rename(state.path("state/\(name)"), server.state.path("state/\(name)")) == 0)
    }
    server.process.signal(SIGHUP)
    let end = ContinuousClock.now + .seconds(60)
    while try server.log().components(separatedBy: "the settings were read again").count <= reload {
      try #require(ContinuousClock.now < end)
      usleep(1_000)
    }
  }

  @Test("a new certificate is shown at once, to new connections alone; a key that does not fit leaves it")
  func certificate() async throws {
    let settings = ["WAKE_PUBLIC_URL": "https://127.0.0.1"]
    let folders = try (0..<4).map { _ in try TemporaryFolder() }
    defer { for folder in folders { folder.remove() } }
    var fingerprints: [String] = []
    for folder in folders { fingerprints.append(try await Self.makeCertificate(in: folder)) }
    let next = Array(zip(folders, fingerprints).dropLast())
    let state = try TemporaryFolder()
    defer { state.remove() }
    let first = try await Self.makeCertificate(in: state)
    try await Server.with(state, settings) { server in
      let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
      try await onOwnThread {
        func connect() throws -> RawHTTPConnection {
          let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
          try connection.secure()
          return connection
        }
        let open = try connect()
        #expect(open.peerFingerprint == first)
        // Several times: the server looks by itself once a second too, and might have done so just then.
        for (index, (folder, fingerprint)) in next.enumerated() {
          try Self.put(["tls.key", "tls.crt"], of: folder, before: server, reload: index + 1)
          let fresh = try connect()
          #expect(fresh.peerFingerprint == fingerprint)
          #expect(try fresh.exchange("GET", "/healthz")?.status == 200)
          #expect(try open.exchange("GET", "/healthz")?.status == 200)
        }
        try Self.put(["tls.key"], of: folders[3], before: server, reload: 4)
        #expect(try server.log().contains("the new certificate is not used, the old one stays"))
        #expect(try connect().peerFingerprint == next.last?.1)
        #expect(try open.exchange("GET", "/healthz")?.status == 200)
      }
    }
  }
}
