import Foundation
import HTTPClient
import StrictJSON
import TestSupport
import Testing

@Suite("TLS of the service's own, from the command line")
struct TLSTests {
  @Test("wake tls init makes a certificate, wake serve shows it, and a new one reaches new connections")
  func whole() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = ["WAKE_PUBLIC_URL": "https://127.0.0.1"]
    func wake(_ arguments: String...) async throws -> Ended {
      try await Program.wake(arguments, state: state, settings).run()
    }
    let none = try await wake("tls", "show")
    #expect(none.exitCode == 1 && none.errors.contains("wake tls init"))
    let made = try await wake("tls", "init", "--json")
    #expect(made.exitCode == 0 && made.errors == "")
    let first = try made.json
    #expect(first["hosts"] == ["127.0.0.1", "localhost", "::1"])
    #expect(try await wake("tls", "show", "--json").json == first)
    let fingerprint = try #require(first["fingerprint"]?.string)
    #expect(fingerprint.utf8.count == 64)

    let server = try await Server(state, settings)
    let https = HTTPClient(caFile: state.path("state/tls.crt"))
    #expect(
      try await https.send("GET", "https://\(server.address)/healthz", headers: [], body: nil).status == 200)
    await #expect(throws: HTTPClientError.self) {
      try await HTTPClient().send("GET", "http://\(server.address)/healthz", headers: [], body: nil)
    }

    let refused = try await wake("tls", "init")
    #expect(refused.exitCode == 1 && refused.errors.contains("--force"))
    let forced = try await wake(
      "tls", "init", "--force", "--host", "wake.lan,10.0.0.1", "--host", "localhost")
    #expect(forced.exitCode == 0 && forced.output.contains("must pair again"))
    let next = try await wake("tls", "show", "--json").json
    #expect(next["hosts"] == ["wake.lan", "10.0.0.1", "localhost", "127.0.0.1", "::1"])
    let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
    // The server looks once a second: ask until it shows the new one.
    let shown = try await onOwnThread {
      var shown: String?
      repeat {
        let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
        try connection.secure()
        shown = connection.peerFingerprint
        if shown == fingerprint { usleep(20_000) }
      } while shown == fingerprint
      return shown
    }
    #expect(shown == next["fingerprint"]?.string)
    #expect(await server.stop() == 0)
  }

  @Test("a key that does not fit is an end at the start, with one line that names the files")
  func mismatch() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    func wake(_ arguments: String..., settings: [String: String] = [:]) async throws -> Ended {
      try await Program.wake(arguments, state: state, settings).run()
    }
    #expect(try await wake("tls", "init").exitCode == 0)
    try FileManager.default.moveItem(atPath: state.path("state/tls.key"), toPath: state.path("old.key"))
    #expect(try await wake("tls", "init", "--force").exitCode == 0)
    let files = [
      "WAKE_TLS_CERT_FILE": state.path("state/tls.crt"), "WAKE_TLS_KEY_FILE": state.path("old.key"),
    ]
    let ended = try await wake("serve", settings: files)
    #expect(ended.exitCode == 1)
    #expect(ended.errors.contains("old.key is not that of the certificate"), "\(ended.errors)")
    #expect(try await wake("tls", "init", settings: files).exitCode == 2)
    #expect(try await wake("tls", "init", "--host", "a b").exitCode == 2)
  }
}
