import Foundation
import TestSupport
import Testing

@testable import PushDelivery

@Suite("The probe: a connection that carries nothing, by the address policy")
struct ConnectionProbeTests {
  private let loopback = IPAddress(octets: [127, 0, 0, 1])

  private func connect(
    _ url: String, trusting trust: ConnectionProbe.Trust = .authorities(caFile: nil),
    refusing refusal: AddressRefusal? = nil
  ) async throws -> ConnectionReport {
    let destination = try ConnectionProbe.destination(of: url)
    return await ConnectionProbe(timeoutMilliseconds: 2_000).connect(
      to: destination, at: [try #require(loopback)], trusting: trust, refusal: { _ in refusal })
  }

  @Test("it connects, sends no octet, and lets go")
  func nothing() async throws {
    let server = try RawServer { _ in .status(200) }
    defer { server.stop() }
    let report = try await connect("http://127.0.0.1:\(server.port)/up/secret")
    #expect(report.fault == nil && report.tlsMilliseconds == nil)
    await server.wait(accepted: 1, closed: 1)
    #expect(server.accepted == 1 && server.requests.isEmpty)
  }

  @Test(
    "TLS before 1.2 is not spoken", .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"))
  func oldVersions() async throws {
    let authority = try #require(TestAuthority.shared)
    let server = try authority.server(.good, onlyOldVersions: true) { _ in .status(201) }
    defer { server.stop() }
    let report = try await connect("https://localhost:\(server.port)/", trusting: .anyCertificate)
    #expect(report.fault == .handshake)
  }

  @Test("what the policy refuses is not connected to, whatever was asked for", arguments: ["http", "https"])
  func refused(scheme: String) async throws {
    let server = try RawServer { _ in .status(200) }
    defer { server.stop() }
    let url = "\(scheme)://push.example:\(server.port)/"
    let report = try await connect(url, refusing: .ownListener)
    #expect(report.fault == .denied(try #require(loopback), .ownListener))
    #expect(server.accepted == 0)
  }

  @Test(
    "a certificate is judged, or shown for who pins it",
    .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"),
    arguments: [
      (TestAuthority.Kind.good, nil), (.expired, CertificateFault.expired), (.otherName, .otherName),
      (.notYetValid, .notYetValid), (.selfSigned, .selfSigned),
    ] as [(TestAuthority.Kind, CertificateFault?)])
  func certificate(kind: TestAuthority.Kind, fault: CertificateFault?) async throws {
    let authority = try #require(TestAuthority.shared)
    let server = try authority.server(kind) { _ in .status(201) }
    defer { server.stop() }
    let url = "https://localhost:\(server.port)/"
    let judged = try await connect(url, trusting: .authorities(caFile: authority.caFile))
    #expect(judged.fault == fault.map { .certificate($0) })
    #expect(judged.tlsMilliseconds != nil)
    let shown = try await connect(url, trusting: .anyCertificate)
    #expect(shown.fault == nil)
    let file = authority.folder.appendingPathComponent("\(kind.rawValue).pem")
    let own = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let lines = own.split(separator: "\n").filter { $0.count > 40 }
    let pem = String(decoding: try #require(shown.certificatePEM), as: UTF8.self)
    #expect(!lines.isEmpty && lines.allSatisfy { pem.contains($0) })
    #expect(server.requests.isEmpty)
  }

  @Test("proxies of the environment have no effect", arguments: ["http", "https"])
  func environment(scheme: String) async {
    await #expect(processExitsWith: .success) { [scheme = scheme as String] in
      let proxy = try RawServer { _ in .status(502) }
      let server = try RawServer { _ in .status(201) }
      for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
      }
      for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
      let destination = try ConnectionProbe.destination(of: "\(scheme)://127.0.0.1:\(server.port)/")
      let address = try #require(IPAddress(octets: [127, 0, 0, 1]))
      let report = await ConnectionProbe(timeoutMilliseconds: 2_000).connect(
        to: destination, at: [address], trusting: .anyCertificate, refusal: { _ in nil })
      // The server speaks no TLS, and is reached all the same.
      #expect(scheme == "http" ? report.fault == nil : report.fault?.isOfTLS == true)
      // It may notice a connection that carried nothing a little later.
      let end = ContinuousClock.now + .seconds(30)
      while server.accepted == 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
      #expect(server.accepted == 1 && proxy.accepted == 0)
      server.stop()
      proxy.stop()
    }
  }

  @Test(
    "a file of authorities that cannot be read is named as such",
    .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"))
  func authorities() async throws {
    let server = try #require(TestAuthority.shared).server(.good) { _ in .status(201) }
    defer { server.stop() }
    let report = try await connect(
      "https://localhost:\(server.port)/", trusting: .authorities(caFile: "/nonexistent/wake/ca.pem"))
    #expect(report.fault == .authorities && report.fault?.isOfTLS == true)
  }

  @Test("a name is given up in time, and a literal address needs no resolver")
  func names() async throws {
    let asked = DispatchSemaphore(value: 0)
    defer { asked.signal() }
    let probe = ConnectionProbe(
      resolver: { _ throws(NameResolutionError) in
        asked.wait()
        return []
      }, timeoutMilliseconds: 50)
    let named = try ConnectionProbe.destination(of: "https://push.example/")
    #expect(await probe.addresses(of: named) == .failure(.timedOut))
    let literal = try ConnectionProbe.destination(of: "https://127.0.0.1:8443/")
    #expect(await probe.addresses(of: literal) == .success([try #require(loopback)]))
  }
}
