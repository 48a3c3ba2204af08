import Foundation
import TestSupport
import Testing

@testable import PushDelivery

@Suite(
  "The sender: TLS", .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"))
struct PushSenderTLSTests {
  private let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  private func send(
    to kind: TestAuthority.Kind, host: String = "push.example", caFile: String?, onlyOldVersions: Bool = false
  ) async throws -> (answer: PushAnswer, requests: Int) {
    let server = try authority.server(kind, onlyOldVersions: onlyOldVersions) { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.caFile = caFile
      $0.resolver = { _ in [loopback] }
    }
    let answer = try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) {
      sender, policy in
      await sender.send(try PushHarness.message(to: "https://\(host):\(server.port)/secret", policy))
    }
    return (answer, server.requests.count)
  }

  @Test(
    "a push server of a private authority is trusted where that is named",
    arguments: ["push.example", "127.0.0.1", "localhost"])
  func privateAuthority(host: String) async throws {
    let (answer, requests) = try await send(to: .good, host: host, caFile: authority.caFile)
    #expect(answer.outcome == .accepted)
    #expect(requests == 1)
  }

  @Test("without the authority no request is sent, and the reason says whose fault it is")
  func unknownAuthority() async throws {
    let (answer, requests) = try await send(to: .good, caFile: nil)
    #expect(answer.outcome == .network)
    #expect(answer.status == nil)
    #expect(answer.reason?.contains("authority that is not trusted") == true)
    #expect(requests == 0)
  }

  @Test(
    "a certificate that does not fit gets no request",
    arguments: [
      (TestAuthority.Kind.otherName, "for another name"), (.expired, "expired"), (.selfSigned, "self-signed"),
      (.notYetValid, "not valid yet"),
    ])
  func unfit(kind: TestAuthority.Kind, words: String) async throws {
    let (answer, requests) = try await send(to: kind, caFile: authority.caFile)
    #expect(answer.outcome == .network)
    #expect(answer.reason?.contains(words) == true)
    #expect(requests == 0)
  }

  @Test("a name without a certificate of its own gets no request")
  func otherHost() async throws {
    let (answer, requests) = try await send(to: .good, host: "elsewhere.example", caFile: authority.caFile)
    #expect(answer.outcome == .network)
    #expect(answer.reason?.contains("for another name") == true)
    #expect(requests == 0)
  }

  @Test("TLS before 1.2 is not spoken")
  func oldVersions() async throws {
    let (answer, requests) = try await send(to: .good, caFile: authority.caFile, onlyOldVersions: true)
    #expect(answer.outcome == .network)
    #expect(requests == 0)
  }

  @Test("a server that speaks no TLS gets no request")
  func noTLS() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let configuration = PushHarness.configuration { $0.connectTimeoutMilliseconds = 300 }
    let answer = try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) {
      sender, policy in
      await sender.send(try PushHarness.message(to: "https://127.0.0.1:\(server.port)/", policy))
    }
    #expect(answer.outcome == .network)
    #expect(server.requests.isEmpty)
  }

  @Test("a file of certificates that cannot be used is refused at once")
  func unusableFile() throws {
    let file = authority.folder.appendingPathComponent("absent.pem").path
    #expect(throws: PushDeliveryError.caFileUnreadable(path: file)) {
      try PushSender(
        policy: AddressPolicy(), configuration: PushHarness.configuration { $0.caFile = file })
    }
    let key = authority.folder.appendingPathComponent("ca.key").path
    #expect(throws: PushDeliveryError.caFileWithoutCertificate(path: key)) {
      try PushSender(
        policy: AddressPolicy(), configuration: PushHarness.configuration { $0.caFile = key })
    }
  }

  @Test("connections of TLS are kept")
  func reuse() async throws {
    let server = try authority.server(.good) { _ in .status(201) }
    defer { server.stop() }
    let configuration = PushHarness.configuration { $0.caFile = authority.caFile }
    let origin = "https://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      for place in 0..<20 {
        let answer = await sender.send(try PushHarness.message(to: "\(origin)/\(place)", policy))
        #expect(answer.outcome == .accepted)
      }
    }
    #expect(server.requests.count == 20)
    #expect(server.accepted == 1)
  }

  @Test("a file of authorities that is gone when it is needed lets no request out")
  func missingFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
    try FileManager.default.copyItem(atPath: authority.caFile, toPath: file.path)
    let server = try authority.server(.good) { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.caFile = file.path
      $0.resolver = { _ in [loopback] }
    }
    let answer = try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) {
      sender, policy in
      try FileManager.default.removeItem(at: file)
      return await sender.send(try PushHarness.message(to: "https://push.example:\(server.port)/x", policy))
    }
    #expect(answer.outcome == .network)
    // Not "an authority that is not trusted": those of the system alone are no substitute.
    #expect(answer.reason == NetworkReason.authoritiesUnreadable.rawValue, "\(answer)")
    #expect(server.requests.isEmpty)
  }

  @Test("a file of authorities that changes counts when it is read anew, and until then what was read")
  func changedFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
    defer { try? FileManager.default.removeItem(at: file) }
    let other = try Data(contentsOf: authority.folder.appendingPathComponent("selfSigned.pem"))
    let own = try Data(contentsOf: URL(fileURLWithPath: authority.caFile))
    let server = try authority.server(.good) { _ in .status(201, then: .close) }
    defer { server.stop() }
    for (lifetime, outcomes) in [
      (Duration.zero, [PushOutcome.accepted, .network, .accepted]),
      (.seconds(60), [.accepted, .accepted, .accepted]),
    ] {
      let configuration = PushHarness.configuration {
        $0.caFile = file.path
        $0.authoritiesLifetime = lifetime
      }
      try own.write(to: file)
      let found = try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) {
        sender, policy in
        var found: [PushOutcome] = []
        for content in [own, other, own] {
          try content.write(to: file)
          let url = "https://127.0.0.1:\(server.port)/\(found.count)"
          found.append(await sender.send(try PushHarness.message(to: url, policy)).outcome)
        }
        return found
      }
      #expect(found == outcomes)
    }
  }

  @Test("what is trusted need not be the root of a chain")
  func leaf() async throws {
    let leaf = authority.folder.appendingPathComponent("good.pem").path
    let (answer, requests) = try await send(to: .good, caFile: leaf)
    #expect(answer.outcome == .accepted, "\(answer)")
    #expect(requests == 1)
  }
}
