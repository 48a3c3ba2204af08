import CryptoPrimitives
import Foundation
import HTTPClient
import HTTPListener
import TestSupport
import Testing

@Suite("A listener that speaks TLS")
struct TLSTests {
  @Test("TLS 1.2 and 1.3 are spoken", arguments: [TLSClient.Versions.only12, .only13])
  func spoken(versions: TLSClient.Versions) async throws {
    let mine = try TestIdentity.make()
    let harness = try ListenerHarness(identities: mine.slot)
    let (answer, fingerprint) = try await harness.connected(plainly: true) { connection in
      try connection.secure(versions: versions)
      return (try connection.exchange("GET", "/a"), connection.peerFingerprint)
    }
    #expect(answer?.text == "/a")
    #expect(fingerprint == mine.fingerprint)
    await harness.listener.stop()
  }

  @Test("TLS 1.1 is refused")
  func refused() async throws {
    let harness = try ListenerHarness(identities: TestIdentity.make().slot)
    await #expect(throws: TLSClient.HandshakeFailed.self) {
      try await harness.connected(plainly: true) { try $0.secure(versions: .only11) }
    }
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test(
    "the openssl command agrees: 1.2 and 1.3 are spoken with fresh keys, 1.1 is not",
    arguments: [("-tls1_2", "ECDHE-"), ("-tls1_3", "TLS_"), ("-tls1_1", nil)] as [(String, String?)])
  func command(version: String, cipher: String?) async throws {
    let harness = try ListenerHarness(identities: TestIdentity.make().slot)
    let address = harness.listener.address.description
    let said = try await onOwnThread {
      try openssl(["s_client", "-connect", address, version, "-cipher", "DEFAULT@SECLEVEL=0"])
    }
    #expect(said.contains("Cipher is \(cipher ?? "(NONE)")"), "\(said)")
    await harness.listener.stop()
  }

  @Test("libcurl, which checks the certificate, is answered")
  func libcurl() async throws {
    let mine = try TestIdentity.make()
    let harness = try ListenerHarness(identities: mine.slot)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("wake-ca-\(UUID().uuidString)")
    try Data(mine.pem).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let body = [UInt8](repeating: 0x61, count: HTTPLimits().bodyOctets)
    let answer = try await HTTPClient(caFile: file.path).send(
      "POST", "https://\(harness.listener.address)/a", headers: [], body: body)
    #expect(answer.status == 200)
    #expect(harness.requests.first?.body == body)
    #expect(harness.requests.first?.peer == "127.0.0.1")
    await #expect(throws: HTTPClientError.self) {
      try await HTTPClient().send("GET", "https://\(harness.listener.address)/a", headers: [], body: nil)
    }
    await harness.listener.stop()
  }

  @Test("a long answer arrives whole, and one handed over late as well")
  func answers() async throws {
    let long = [UInt8](repeating: 0x62, count: 3_000_000)
    let harness = try ListenerHarness(identities: TestIdentity.make().slot) { request in
      if request.target == "/late" { try? await Task.sleep(for: .milliseconds(50)) }
      return HTTPResponse(status: 200, body: long)
    }
    let bodies = try await harness.connected { connection in
      var answers = [try connection.exchange("GET", "/now"), try connection.exchange("GET", "/late")]
      // Two in one record: the second waits in the library's own buffer, where the socket shows nothing.
      let request = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
      connection.send(request + request)
      answers += [try connection.answer(), try connection.answer()]
      return answers.map { $0?.body }
    }
    #expect(bodies == [long, long, long, long])
    await harness.listener.stop()
  }

  @Test(
    "plain HTTP, and noise, get no answer and harm nobody",
    arguments: ["GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}noise", "\0\0\0\0\0\0\0\0\0\0"])
  func plain(text: String) async throws {
    let harness = try ListenerHarness(identities: TestIdentity.make().slot)
    let answer = try await harness.connected(plainly: true) { connection -> Bool in
      connection.send(text)
      return (try? connection.answer()) != nil
    }
    #expect(!answer)
    #expect(harness.requests.isEmpty)
    #expect(try await harness.connected { try $0.exchange("GET", "/b") }?.text == "/b")
    await harness.listener.stop()
  }

  @Test("listeners of one process show each its own certificate, and those that share one the same")
  func several() async throws {
    let (one, other) = (try TestIdentity.make(), try TestIdentity.make())
    let slots = [one.slot, other.slot, one.slot]
    let harnesses = try slots.map { try ListenerHarness(identities: $0) }
    var shown: [String?] = []
    for harness in harnesses { shown.append(try await harness.connected { $0.peerFingerprint }) }
    #expect(shown == [one.fingerprint, other.fingerprint, one.fingerprint])
    for harness in harnesses { await harness.listener.stop() }
  }

  @Test(
    "an exchanged certificate is for new connections: one that is open goes on, also while others come and go"
  )
  func exchange() async throws {
    let slot = try TestIdentity.make().slot
    let harness = try ListenerHarness(identities: slot)
    try await harness.connected { connection in
      let first = connection.peerFingerprint
      for round in 0..<20 {
        let next = try TestIdentity.make()
        slot.exchange(for: next.identity)
        guard case .tcp(let host, let port) = harness.listener.address else { return }
        let fresh = try RawHTTPConnection(host: host, port: port)
        try fresh.secure()
        #expect(fresh.peerFingerprint == next.fingerprint)
        #expect(try fresh.exchange("GET", "/\(round)")?.status == 200)
        #expect(try connection.exchange("GET", "/\(round)")?.text == "/\(round)")
        #expect(connection.peerFingerprint == first)
      }
    }
    await harness.listener.stop()
  }

  @Test("a handshake under way ends with the certificate that it began with, though that has been let go")
  func underWay() async throws {
    let slot = try TestIdentity.make().slot
    let harness = try ListenerHarness(identities: slot)
    let exchanging = Task {
      while !Task.isCancelled {
        slot.exchange(for: try TestIdentity.make().identity)
        await Task.yield()
      }
    }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var last: Int?
          for _ in 0..<20 { last = try await harness.connected { try $0.exchange("GET", "/") }?.status }
          return last
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    exchanging.cancel()
    _ = try await exchanging.value
    await harness.listener.stop()
  }

  @Test("what is no certificate, no key, a sealed key, or the key of another certificate is told apart")
  func identities() throws {
    let (one, other) = (try TestIdentity.files(), try TestIdentity.files())
    func failure(_ chain: [UInt8], _ key: [UInt8]) -> TLSIdentityError? {
      do throws(TLSIdentityError) {
        _ = try TLSIdentity(chainPEM: chain, keyPEM: key)
        return nil
      } catch { return error }
    }
    let half = Array(one.certificatePEM.prefix(200))
    #expect(failure(one.certificatePEM, other.keyPEM.octets) == .mismatch)
    for chain in [[], half, one.keyPEM.octets] {
      guard case .certificate? = failure(chain, one.keyPEM.octets) else {
        Issue.record("a chain of \(chain.count) octets was taken")
        continue
      }
    }
    for key in [[], one.certificatePEM, Array(one.keyPEM.octets.prefix(100))] {
      guard case .key? = failure(one.certificatePEM, key) else {
        Issue.record("a key of \(key.count) octets was taken")
        continue
      }
    }
    #expect(failure(one.certificatePEM, one.keyPEM.octets) == nil)
    #expect(failure(one.certificatePEM + other.certificatePEM, one.keyPEM.octets) == nil)
    #expect(failure(other.certificatePEM + one.certificatePEM, one.keyPEM.octets) == .mismatch)
  }
}

/// What the command says, without input.
private func openssl(_ arguments: [String]) throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["openssl"] + arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let said = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: said, as: UTF8.self)
}
