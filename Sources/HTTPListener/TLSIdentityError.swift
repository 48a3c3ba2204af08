/// Why a certificate and a key are no identity.
package enum TLSIdentityError: Error, Equatable, Sendable {
  /// The chain cannot be read; GnuTLS's words.
  case certificate(String)
  /// The key cannot be read; GnuTLS's words.
  case key(String)
  /// The key is not that of the first certificate.
  case mismatch
}
