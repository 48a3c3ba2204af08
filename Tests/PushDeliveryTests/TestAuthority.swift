import Foundation
import TestSupport

/// An authority for tests, with certificates for every case, made once by the `openssl` command.
struct TestAuthority: Sendable {
  /// What a certificate is made like.
  enum Kind: String, CaseIterable, Sendable {
    /// For `push.example`, `localhost` and 127.0.0.1.
    case good
    /// For `other.example` alone.
    case otherName
    /// It ended before it began to be of use.
    case expired
    /// Signed by itself.
    case selfSigned
  }

  let folder: URL

  /// The authority, or nil where the command is missing or fails.
  static let shared: TestAuthority? = {
    let authority = try? TestAuthority()
    atexit {
      if let folder = TestAuthority.shared?.folder { try? FileManager.default.removeItem(at: folder) }
    }
    return authority
  }()

  static let absent =
    "SKIPPED: the openssl command, which makes the certificates of these tests, does not work"

  /// The authority's own certificate.
  var caFile: String { folder.appendingPathComponent("ca.pem").path }

  /// A server that has a certificate of that kind.
  func server(
    _ kind: Kind, onlyOldVersions: Bool = false, answering: @escaping RawServer.Answering
  ) throws -> RawServer {
    let base = folder.appendingPathComponent(kind.rawValue).path
    guard
      let identity = TLSIdentity(
        chainFile: base + ".pem", keyFile: base + ".key", onlyOldVersions: onlyOldVersions)
    else { throw CocoaError(.fileReadCorruptFile) }
    return try RawServer(wrapping: { identity.wrap($0) }, answering: answering)
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-ca-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = "subjectAltName=DNS:push.example,DNS:localhost,IP:127.0.0.1"
    try write("good.ext", names)
    try write("expired.ext", names)
    try write("otherName.ext", "subjectAltName=DNS:other.example")
    try openssl(
      newKey("ca") + ["-x509", "-subj", "/CN=Authority of the tests", "-days", "2", "-out", "ca.pem"])
    for kind in [Kind.good, .otherName, .expired] {
      let name = kind.rawValue
      try openssl(newKey(name) + ["-subj", "/CN=\(name)", "-out", "\(name).csr"])
      try openssl([
        "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-extfile", "\(name).ext", "-days", kind == .expired ? "-1" : "2", "-out", "\(name).pem",
      ])
    }
    try openssl(
      newKey("selfSigned")
        + ["-x509", "-subj", "/CN=self", "-days", "2", "-addext", names, "-out", "selfSigned.pem"])
  }

  private func newKey(_ name: String) -> [String] {
    ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(name).key"]
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
