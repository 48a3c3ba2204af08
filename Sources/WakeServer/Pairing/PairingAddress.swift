/// How companions reach the service, as pairing links say it.
package struct PairingAddress: Sendable {
  /// No slash at the end; nil where nobody said, or where a companion could do nothing with it.
  let baseURL: String?
  /// The one certificate that a phone is to accept; nil where any that it trusts will do. Read anew for each link, as the
  /// file may change.
  let fingerprint: @Sendable () throws(CertificateFileError) -> String?

  /// Nobody said.
  package static let unknown = PairingAddress(baseURL: nil) { () throws(CertificateFileError) in nil }

  init(baseURL: String?, fingerprint: @escaping @Sendable () throws(CertificateFileError) -> String?) {
    self.baseURL = baseURL
    self.fingerprint = fingerprint
  }

  /// What a configuration says.
  package init(_ configuration: Configuration) {
    baseURL = configuration.publicURL.flatMap(PairingLink.baseURL)
    fingerprint = { () throws(CertificateFileError) in try configuration.pinnedFingerprint() }
  }
}
