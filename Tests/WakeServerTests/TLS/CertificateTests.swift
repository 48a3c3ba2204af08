import CryptoPrimitives
import Foundation
import Testing
import WakeServer

@Suite("The certificate of the service")
struct CertificateTests {
  private func configuration(_ folder: StateFolder, _ environment: [String: String] = [:])
    throws(ConfigurationError) -> Configuration
  {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": folder.path].merging(environment) { $1 })
    return try Configuration(sources, environment: [:], workingFolder: "/here")
  }

  @Test("a made certificate names its hosts, signs itself, is valid for long, and its files have their modes")
  func made() async throws {
    try await CertificateFolder.with { folder in
      let hosts = try ["wake.lan", "192.168.1.5", "[fd00::5]", "x_y.example"].map {
        try #require(CertificateHost(parsing: $0))
      }
      let certificate = try CertificateMaking.make(
        at: folder.files, hosts: hosts, replaces: false, nowMilliseconds: 1_800_000_000_000)
      #expect(certificate.hosts.map(\.text) == ["wake.lan", "192.168.1.5", "fd00::5", "x_y.example"])
      #expect(certificate.isSelfSigned)
      #expect(certificate.notAfterSeconds == 1_800_000_000 + CertificateMaking.validSeconds)
      #expect(certificate.fingerprint == Hex.encode(SHA256.digest(certificate.der)))
      for (path, mode) in [(folder.files.certificate, 0o644), (folder.files.key, 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.state.path).sorted() == [
          "tls.crt", "tls.key",
        ])
      #expect(try ServerCertificate(reading: folder.files).certificate == certificate)
    }
  }

  @Test("what is there is replaced only on demand", arguments: ["tls.crt", "tls.key"])
  func kept(name: String) async throws {
    try await CertificateFolder.with { folder in
      let path = "\(folder.state.path)/\(name)"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: CertificateFileError.exists(path)) {
        try CertificateMaking.make(
          at: folder.files, hosts: CertificateHost.local, replaces: false, nowMilliseconds: 0)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.state.path) == [name])
      try folder.make()
      #expect(try ServerCertificate(reading: folder.files).certificate.isSelfSigned)
    }
  }

  @Test(
    "what a certificate cannot name is refused",
    arguments: [
      "", "a b", "a,DNS:b", "a,b", "*.lan", "-a", "a-", "a..b", ".a", "a.", "1.2.3", "300.1.1.1", "[a]",
      "[::1",
      "::g", "a/b", "a:1", "ä.lan", "a\n", String(repeating: "a", count: 64), "@x",
    ])
  func hosts(text: String) { #expect(CertificateHost(parsing: text) == nil) }

  @Test(
    "the host of a URL is found",
    arguments: [
      ("https://wake.example", "wake.example"), ("https://WAKE.example:8443/x", "wake.example"),
      ("http://192.168.1.5:8090", "192.168.1.5"), ("https://[fd00::5]:1/", "fd00::5"),
      ("https://a@b", nil), ("wake.example", nil), ("https://", nil),
    ] as [(String, String?)])
  func url(text: String, host: String?) { #expect(CertificateHost(ofURL: text)?.text == host) }

  @Test("both files are named, or neither, and none for a Unix socket")
  func settings() async throws {
    try await CertificateFolder.with { folder in
      let both = ["WAKE_TLS_CERT_FILE": "c.pem", "WAKE_TLS_KEY_FILE": "/k.pem"]
      let named = try configuration(folder.state, both)
      #expect(named.tls == CertificateFiles(certificate: "/here/c.pem", key: "/k.pem"))
      #expect(named.publicURL == "https://127.0.0.1:8090")
      for name in both.keys {
        let error = #expect(throws: ConfigurationError.self) {
          try configuration(folder.state, [name: "/x"])
        }
        #expect(error?.description.hasPrefix(name) == true)
      }
      #expect(throws: ConfigurationError.self) {
        try configuration(folder.state, both.merging(["WAKE_LISTEN": "unix:/s"]) { $1 })
      }
    }
  }

  @Test("the certificate in the state folder is used where none is named, and not for a Unix socket")
  func defaults() async throws {
    try await CertificateFolder.with { folder in
      #expect(try configuration(folder.state).tls == nil)
      #expect(try configuration(folder.state).publicURL == "http://127.0.0.1:8090")
      #expect(try configuration(folder.state).pinnedFingerprint() == nil)
      let fingerprint = try folder.make()
      #expect(try configuration(folder.state).tls == folder.files)
      #expect(try configuration(folder.state).publicURL == "https://127.0.0.1:8090")
      #expect(try configuration(folder.state).pinnedFingerprint() == fingerprint)
      #expect(try configuration(folder.state, ["WAKE_LISTEN": "unix:/s"]).tls == nil)
      // A proxy that speaks plain HTTP to phones shows them no certificate.
      let plain = ["WAKE_PUBLIC_URL": "http://wake.lan"]
      #expect(try configuration(folder.state, plain).pinnedFingerprint() == nil)
    }
  }

  @Test("a certificate without its key is found at the start, and not passed over")
  func halfPair() async throws {
    try await CertificateFolder.with { folder in
      try folder.make()
      try FileManager.default.removeItem(atPath: folder.files.key)
      let files = try #require(try configuration(folder.state).tls)
      let error = #expect(throws: CertificateFileError.self) { try ServerCertificate(reading: files) }
      #expect(error?.description.hasPrefix(files.key) == true)
    }
  }

  @Test("a certificate of an authority is not pinned")
  func authority() async throws {
    try await CertificateFolder.with { folder in
      // Signed by another key, although it calls itself its issuer; and named after another.
      for subject in ["/CN=authority", "/CN=leaf"] {
        try Self.openssl(
          """
          openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=authority -days 2 \
            -keyout ca.key -out ca.pem &&
          openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj \(subject) -keyout tls.key -out l.csr &&
          openssl x509 -req -in l.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 -out leaf.pem &&
          cat leaf.pem ca.pem > tls.crt
          """, in: folder.state.path)
        let configuration = try configuration(folder.state)
        #expect(try configuration.certificate() != nil)
        #expect(try configuration.pinnedFingerprint() == nil)
        _ = try ServerCertificate(reading: folder.files)
      }
    }
  }

  @Test("a key that everybody can read, or a group can write, is refused; one that a group can read is taken")
  func keyMode() async throws {
    try await CertificateFolder.with { folder in
      try folder.make()
      for (mode, isTaken) in [(0o600, true), (0o400, true), (0o640, true), (0o604, false), (0o660, false)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.files.key)
        #expect(
          ((try? ServerCertificate(reading: folder.files)) != nil) == isTaken, "\(String(mode, radix: 8))")
      }
    }
  }

  private static func openssl(_ script: String, in folder: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", "umask 077; \(script)"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
