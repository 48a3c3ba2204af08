import Foundation
import HTTPClient
import StrictJSON
import Testing
import WakeServer

@Suite("The admin listener on TCP")
struct AdminListenerTests {
  /// A pairing code for a stack that is made first, asked for on the listener.
  private func pair(
    _ address: String, state: TemporaryFolder, https caFile: String? = nil
  ) async throws -> (stack: String, status: Int, answer: JSONValue) {
    let added = try await Program.wake(["admin-token", "add", "laptop-2", "--json"], state: state).run()
    let token = try #require(try added.json["adminToken"]?.string)
    let stack = try await Program.wake(["stack", "add", "home", "--json"], state: state).run()
    let id = try #require(try stack.json["stack"]?.string)
    let made = try await HTTPClient(caFile: caFile).send(
      "POST", "http\(caFile == nil ? "" : "s")://\(address)/v1/admin/stacks/\(id)/pairings",
      headers: [("Authorization", "Bearer \(token)")], body: nil)
    return (id, made.status, try StrictJSON.parse(made.body))
  }

  /// Seconds since 1970 of a time in RFC 3339.
  private func seconds(_ text: String?) throws -> Int64 {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Int64(try Date(#require(text), strategy: format).timeIntervalSince1970)
  }

  private func ask(_ address: String, _ token: String?, https caFile: String? = nil) async throws -> Int {
    let headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await HTTPClient(caFile: caFile).send(
      "GET", "http\(caFile == nil ? "" : "s")://\(address)/v1/admin/stacks", headers: headers, body: nil
    ).status
  }

  @Test("it is there where it is named, for who shows an admin token, and the public one stays without")
  func local() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = ["WAKE_ADMIN_LISTEN": "127.0.0.1:0", "WAKE_PUBLIC_URL": "https://wake.example"]
    let program = Program.wake(["serve", "--json"], state: state, settings)
    let process = try LineProcess(program, errors: try state.newFile("log"))
    let line = try #require(try await process.next())
    let address = try #require(line["adminByToken"]?.string)
    let added = try await Program.wake(["admin-token", "add", "laptop", "--json"], state: state).run()
    let token = try #require(try added.json["adminToken"]?.string)
    #expect(try await ask(address, nil) == 401)
    #expect(try await ask(address, token) == 200)
    #expect(try await ask(#require(line["listening"]?.string), token) == 404)

    let (id, status, code) = try await pair(address, state: state)
    let link = try #require(code["uri"]?.string.flatMap { PairingLink($0) })
    #expect(status == 201 && link.baseURL == "https://wake.example" && link.stack == id)
    #expect(link.code == code["code"]?.string && link.fingerprint == nil)
    #expect(try link.expires == seconds(code["expiresAt"]?.string))
    #expect(abs(link.expires - WallClock.system.now() / 1_000 - Limits.pairingMilliseconds / 1_000) < 60)
    process.signal(SIGTERM)
    #expect(await process.exitCode() == 0)
  }

  @Test("on an address of the network it is refused without TLS, and speaks TLS with")
  func network() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    // 0.0.0.0 is not local; it is reached here by loopback alone.
    let settings = ["WAKE_ADMIN_LISTEN": "0.0.0.0:0", "WAKE_PUBLIC_URL": "https://127.0.0.1"]
    let refused = try await Program.wake(["serve"], state: state, settings).run()
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("wake tls init"), "\(refused.errors)")
    let certificate = try await Program.wake(["tls", "init", "--json"], state: state).run()
    #expect(certificate.exitCode == 0, "\(certificate.errors)")
    let fingerprint = try #require(try certificate.json["fingerprint"]?.string)
    let process = try LineProcess(
      .wake(["serve", "--json"], state: state, settings), errors: try state.newFile("log"))
    let line = try #require(try await process.next())
    let port = try #require(line["adminByToken"]?.string?.split(separator: ":").last)
    let status = try await ask("127.0.0.1:\(port)", nil, https: state.path("state/tls.crt"))
    #expect(status == 401)
    let made = try await pair("127.0.0.1:\(port)", state: state, https: state.path("state/tls.crt"))
    let link = try #require(made.answer["uri"]?.string.flatMap { PairingLink($0) })
    #expect(made.status == 201 && link.fingerprint == fingerprint)
    #expect(try link.expires == seconds(made.answer["expiresAt"]?.string))
    process.signal(SIGTERM)
    #expect(await process.exitCode() == 0)
  }
}
