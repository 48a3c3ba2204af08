import CryptoPrimitives
import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite("A pinned certificate")
struct PinningTests {
  /// A certificate that nobody but its pin speaks for, and a server that shows it.
  private struct Pinned {
    let folder: URL
    let certificate: Certificate
    let server: RawServer

    /// For `hosts`, valid for these seconds since 1970.
    init(
      hosts: [CertificateHost] = [.name("elsewhere.example")],
      validSeconds: ClosedRange<Int64> = 0...86_400
    ) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-pin-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let made = try SelfSignedCertificate(hosts: hosts, validSeconds: validSeconds, random: .system)
      let (chain, key) = (folder.appendingPathComponent("c.pem"), folder.appendingPathComponent("k.pem"))
      try Data(made.certificatePEM).write(to: chain)
      try Data(made.keyPEM.octets).write(to: key)
      certificate = try Certificate(firstOf: made.certificatePEM)
      let identity = try #require(TLSIdentity(chainFile: chain.path, keyFile: key.path))
      server = try RawServer(wrapping: { identity.wrap($0) }) { _ in .status(200, body: "here") }
    }

    var url: String { "https://127.0.0.1:\(server.port)/" }
    var pin: [UInt8] { SHA256.digest(certificate.der) }

    func end() {
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  @Test("the pinned one is taken although its name is another's and its time is long over")
  func taken() async throws {
    let pinned = try Pinned()
    defer { pinned.end() }
    let client = HTTPClient(pinnedCertificate: pinned.pin)
    for _ in 0..<2 { #expect(try await client.send("GET", pinned.url).body == Array("here".utf8)) }
    #expect(pinned.server.accepted == 1)
    let stream = try await client.stream("GET", pinned.url, idleSeconds: 30)
    #expect(try await stream.next() == Array("here".utf8))
    #expect(pinned.server.requests.count == 3)
  }

  @Test("without the pin it is refused")
  func unpinned() async throws {
    let pinned = try Pinned()
    defer { pinned.end() }
    await #expect(throws: HTTPClientError.self) { try await HTTPClient().send("GET", pinned.url) }
    #expect(pinned.server.requests.isEmpty)
  }

  @Test("any other certificate is refused, a good one too, and no octet of a request is sent")
  func other() async throws {
    let now = Int64(Date().timeIntervalSince1970)
    let expected = try Pinned()
    defer { expected.end() }
    let other = try Pinned(
      hosts: [.address([127, 0, 0, 1])], validSeconds: (now - 60)...(now + 3_600))
    defer { other.end() }
    var nearly = other.pin
    nearly[31] ^= 1
    for pin in [expected.pin, nearly, Array(other.pin.dropLast()), []] {
      let client = HTTPClient(pinnedCertificate: pin)
      await #expect {
        try await client.send("POST", other.url, headers: [("Authorization", "Bearer s")], body: [1])
      } throws: {
        if case .unreachable? = $0 as? HTTPClientError { true } else { false }
      }
      await #expect {
        _ = try await client.stream("GET", other.url, idleSeconds: 30)
      } throws: {
        if case .unreachable? = $0 as? HTTPClientError { true } else { false }
      }
    }
    #expect(other.server.requests.isEmpty && other.server.accepted > 0)
  }

  @Test("with a pin nothing goes over plain http")
  func plain() async throws {
    let server = try RawServer { _ in .status(200) }
    defer { server.stop() }
    await #expect(throws: HTTPClientError.self) {
      try await HTTPClient(pinnedCertificate: [UInt8](repeating: 0, count: 32))
        .send("GET", "http://127.0.0.1:\(server.port)/")
    }
    #expect(server.requests.isEmpty && server.accepted == 0)
  }
}
