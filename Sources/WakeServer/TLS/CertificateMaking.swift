package import CryptoPrimitives
internal import EndpointRegistry

/// Makes the service a certificate of its own, for phones to pin.
package enum CertificateMaking {
  /// How long it is valid: 20 years. Phones know it by its fingerprint, so a new one cuts every phone off until it pairs
  /// again; it is to outlive the machine. An end that comes sooner would protect nobody: who has the key has the service.
  package static let validSeconds: Int64 = 20 * 31_557_600
  /// How long before its making it is valid already: a phone's clock may be a day behind.
  package static let earlySeconds: Int64 = 86_400

  /// Makes a key and a certificate and puts them at `files`, the key first, so that a certificate never stands there
  /// without one.
  ///
  /// - Parameter replaces: whether files that are there give way.
  package static func make(
    at files: CertificateFiles, hosts: [CertificateHost], replaces: Bool, nowMilliseconds: Int64,
    random: RandomOctets = .system
  ) throws(CertificateFileError) -> Certificate {
    // One at a time: of two at once, the key of one could stand beside the certificate of the other.
    let turn = try FolderTurn(of: files.certificate)
    defer { turn.end() }
    for path in [files.certificate, files.key] where !replaces && CertificateFile.exists(path) {
      throw .exists(path)
    }
    let now = nowMilliseconds / 1_000
    let made: SelfSignedCertificate
    let certificate: Certificate
    do throws(CryptoError) {
      try Algorithms.prepare()
      made = try SelfSignedCertificate(
        hosts: hosts, validSeconds: now - earlySeconds...now + validSeconds, random: random)
      certificate = try Certificate(firstOf: made.certificatePEM)
    } catch { throw .notMade("\(error)") }
    for (octets, path, mode) in [
      (made.keyPEM.octets, files.key, 0o600 as UInt32), (made.certificatePEM, files.certificate, 0o644),
    ] {
      try CertificateFile.write(
        octets, to: path, mode: mode, temporary: ScratchFile.name(for: path, random: random),
        replaces: replaces)
    }
    return certificate
  }
}
