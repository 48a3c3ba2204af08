internal import COpenSSL

/// The one certificate that a client takes: SHA-256 over its DER form.
///
/// Neither its name nor its dates nor who signed it counts (RFC 7469 pins keys; this pins a whole certificate).
final class PinnedCertificate: Sendable {
  /// 32 octets.
  private let digest: [UInt8]

  init(sha256 digest: [UInt8]) { self.digest = digest }

  /// Has `context`, an `SSL_CTX`, ask this pin instead of the trusted authorities. The pin must outlive the context and
  /// every connection that is made of it.
  func guardConnections(of context: UnsafeMutableRawPointer) {
    let pin = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe SSL_CTX_set_cert_verify_callback(
      OpaquePointer(context),
      { chain, pin in
        guard let chain = unsafe chain, let pin = unsafe pin else { return 0 }
        return unsafe Unmanaged<PinnedCertificate>.fromOpaque(pin).takeUnretainedValue().verify(chain)
      }, pin)
  }

  /// 1 where the peer's own certificate is the pinned one, as `SSL_CTX_set_cert_verify_callback(3)` wants it.
  private func verify(_ chain: OpaquePointer) -> Int32 {
    var found = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard let leaf = unsafe X509_STORE_CTX_get0_cert(chain),
      unsafe X509_digest(leaf, EVP_sha256(), &found, &length) == 1,
      found.prefix(Int(length)).elementsEqual(digest)
    else {
      unsafe X509_STORE_CTX_set_error(chain, X509_V_ERR_CERT_UNTRUSTED)
      return 0
    }
    unsafe X509_STORE_CTX_set_error(chain, X509_V_OK)
    return 1
  }
}
