import CryptoPrimitives
import Foundation
import WakeServer

/// A folder with a certificate and its key, for one test.
struct CertificateFolder: Sendable {
  let state: StateFolder
  var files: CertificateFiles { state.certificateFiles }

  /// Runs `body` with a folder that is still empty.
  static func with(_ body: (CertificateFolder) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("wake-tls-\(UUID().uuidString)")
      .path
    let folder = CertificateFolder(state: StateFolder(path: path))
    try folder.state.create()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(folder)
  }

  /// Makes a certificate, in the place of one that is there, and says its fingerprint.
  @discardableResult func make(hosts: [CertificateHost] = CertificateHost.local, now: Int64? = nil) throws
    -> String
  {
    try CertificateMaking.make(
      at: files, hosts: hosts, replaces: true, nowMilliseconds: now ?? WallClock.system.now()
    ).fingerprint
  }

  /// Both files' content.
  func contents() throws -> (certificate: Data, key: Data) {
    (
      try Data(contentsOf: URL(fileURLWithPath: files.certificate)),
      try Data(contentsOf: URL(fileURLWithPath: files.key))
    )
  }

  /// Puts another file in the place of one, as programs do that replace a file whole.
  func replace(_ path: String, with data: Data, mode: Int = 0o600) throws {
    let other = "\(path).other"
    try data.write(to: URL(fileURLWithPath: other))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: other)
    guard rename(other, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
