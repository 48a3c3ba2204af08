import Foundation
import HTTPListener
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("A certificate that is replaced while the service runs")
struct CertificateWatchTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var log: Log { Log(from: .info) { line in self.lines.withLock { $0.append(line) } } }
    var all: [String] { lines.withLock { $0 } }
    func warnings() -> [String] { all.filter { $0.contains(" warning ") } }
  }

  private static func serving(
    _ watch: CertificateWatch, _ body: (ListenAddress) async throws -> Void
  ) async throws {
    let listener = try HTTPListener(
      address: .tcp(host: "127.0.0.1", port: 0), identities: watch.identities,
      refusal: { Problem($0).response }, handler: { _ in HTTPResponse(status: 200) })
    try await body(listener.address)
    await listener.stop()
  }

  @Test("an open connection goes on, a new one is shown the new certificate")
  func replaced() async throws {
    try await CertificateFolder.with { folder in
      let old = try folder.make()
      let watch = try CertificateWatch(folder.files, clock: .system, log: .silent)
      try await Self.serving(watch) { address in
        guard case .tcp(let host, let port) = address else { return }
        try await onOwnThread {
          let open = try RawHTTPConnection(host: host, port: port)
          try open.secure()
          #expect(open.peerFingerprint == old)
          let new = try folder.make()
          watch.look()
          #expect(try open.exchange("GET", "/")?.status == 200)
          let fresh = try RawHTTPConnection(host: host, port: port)
          try fresh.secure()
          #expect(fresh.peerFingerprint == new && new != old)
          #expect(try fresh.exchange("GET", "/")?.status == 200)
          #expect(try open.exchange("GET", "/")?.status == 200)
        }
      }
    }
  }

  @Test("a pair that does not fit yet leaves the old one, is told once, and is taken once it fits")
  func mismatch() async throws {
    try await CertificateFolder.with { folder in
      try folder.make()
      let lines = Lines()
      let watch = try CertificateWatch(folder.files, clock: .system, log: lines.log)
      let old = watch.identities.current
      let first = try folder.contents()
      let next = try folder.make()
      let second = try folder.contents()
      // The key comes first, as an ACME client may write them.
      try folder.replace(folder.files.certificate, with: first.certificate)
      for _ in 0..<3 { watch.look() }
      #expect(watch.identities.current === old)
      #expect(lines.warnings().count == 1, "\(lines.all)")
      try folder.replace(folder.files.certificate, with: second.certificate)
      for _ in 0..<3 { watch.look() }
      #expect(watch.identities.current !== old)
      #expect(lines.all.last?.contains(next) == true)
      #expect(lines.warnings().count == 1)
    }
  }

  @Test("half a file, an empty one, one that is gone, and a key that everybody can read leave the old one")
  func broken() async throws {
    try await CertificateFolder.with { folder in
      try folder.make()
      let lines = Lines()
      let watch = try CertificateWatch(folder.files, clock: .system, log: lines.log)
      let old = watch.identities.current
      let whole = try folder.contents()
      let (certificate, key) = (folder.files.certificate, folder.files.key)
      let breakings: [() throws -> Void] = [
        { try folder.replace(certificate, with: whole.certificate.prefix(300)) },
        { try folder.replace(certificate, with: Data()) },
        { try FileManager.default.removeItem(atPath: certificate) },
        { try folder.replace(certificate, with: Data(count: 2_000_000)) },
        { try folder.replace(key, with: whole.key.prefix(100)) },
        { try folder.replace(key, with: whole.key, mode: 0o644) },
      ]
      for (index, breaking) in breakings.enumerated() {
        try breaking()
        for _ in 0..<2 { watch.look() }
        #expect(watch.identities.current === old)
        #expect(lines.warnings().count == index + 1, "\(lines.all)")
        try folder.replace(certificate, with: whole.certificate)
        try folder.replace(key, with: whole.key)
      }
      let files = [folder.files.certificate, folder.files.key]
      #expect(lines.warnings().allSatisfy { line in files.contains { line.contains($0) } })
      // Nothing of a key is ever told.
      let secret = String(decoding: whole.key, as: UTF8.self).split(separator: "\n")[1].prefix(20)
      #expect(!lines.all.contains { $0.contains(secret) })
      let last = try folder.make()
      watch.look()
      #expect(lines.all.last?.contains(last) == true)
    }
  }

  @Test(
    "the fingerprint and the end are said at the start, with a warning in the last 21 days, once a day",
    arguments: [(-23, 0), (-20, 1), (1, 1)])
  func ending(days: Int64, warnings: Int) async throws {
    try await CertificateFolder.with { folder in
      let made = WallClock.system.now()
      let fingerprint = try folder.make(now: made)
      let now = Mutex(made + CertificateMaking.validSeconds * 1_000 + days * 86_400_000)
      let lines = Lines()
      let clock = WallClock { now.withLock { $0 } }
      let watch = try CertificateWatch(folder.files, clock: clock, log: lines.log)
      #expect(lines.all.first?.contains(fingerprint) == true)
      for _ in 0..<3 { watch.look() }
      #expect(lines.warnings().count == warnings, "\(lines.all)")
      now.withLock { $0 += 86_400_000 }
      for _ in 0..<3 { watch.look() }
      #expect(lines.warnings().count == warnings * 2)
    }
  }
}
