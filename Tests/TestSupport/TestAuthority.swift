public import Foundation

/// An authority for tests, with certificates for every case, made once by the `openssl` command.
public struct TestAuthority: Sendable {
  /// What a certificate is made like.
  public enum Kind: String, CaseIterable, Sendable {
    /// For `push.example`, `localhost` and 127.0.0.1.
    case good
    /// For `other.example` alone.
    case otherName
    /// It ended before it began to be of use.
    case expired
    /// It begins in 2040.
    case notYetValid
    /// Signed by itself.
    case selfSigned
  }

  /// Where its files are: `ca.pem`, and `KIND.pem` and `KIND.key` for each kind.
  public let folder: URL

  /// The authority, or nil where the command is missing or fails.
  public static let shared: TestAuthority? = {
    let authority = try? TestAuthority()
    atexit {
      if let folder = TestAuthority.shared?.folder { try? FileManager.default.removeItem(at: folder) }
    }
    return authority
  }()

  /// What a skipped test says.
  public static let absent =
    "SKIPPED: the openssl command, which makes the certificates of these tests, does not work"

  /// The authority's own certificate.
  public var caFile: String { folder.appendingPathComponent("ca.pem").path }

  /// A server that has a certificate of that kind.
  public func server(
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
    try makeNotYetValid(names)
    try openssl(
      newKey("selfSigned")
        + ["-x509", "-subj", "/CN=self", "-days", "2", "-addext", names, "-out", "selfSigned.pem"])
  }

  /// `openssl x509` counts from today alone; `openssl ca` takes any day.
  private func makeNotYetValid(_ names: String) throws {
    let name = Kind.notYetValid.rawValue
    try write("\(name).ext", names)
    try write("index.txt", "")
    try write(
      "ca.cnf",
      """
      [ca]
      default_ca = tests
      [tests]
      database = index.txt
      serial = number
      new_certs_dir = .
      default_md = sha256
      policy = any
      [any]
      commonName = supplied

      """)
    try openssl(newKey(name) + ["-subj", "/CN=\(name)", "-out", "\(name).csr"])
    try openssl([
      "ca", "-batch", "-notext", "-rand_serial", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key",
      "-in", "\(name).csr", "-extfile", "\(name).ext", "-startdate", "20400101000000Z", "-enddate",
      "20500101000000Z", "-out", "\(name).pem",
    ])
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
