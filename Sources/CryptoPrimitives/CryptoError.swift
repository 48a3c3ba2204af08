/// Everything that can go wrong in this module. No case carries a key, a message or a part of either.
package enum CryptoError: Error, Equatable, Sendable {
  /// An OpenSSL call failed where it should not; `code` is OpenSSL's own (`openssl errstr`), 0 where it gave none.
  case openSSL(operation: String, code: UInt)
  /// Not 65 octets that begin with 0x04 and name a point on P-256 (SEC 1 §2.3.4).
  case invalidPoint
  /// Not 32 octets that name a number from 1 to n - 1 (SEC 1 §3.2.1).
  case invalidScalar
  /// A key, nonce or output length that the algorithm does not have.
  case invalidLength
  /// The tag does not belong to this ciphertext, key, nonce and associated data (NIST SP 800-38D §7.2).
  case authenticationFailed
  /// No certificate in PEM form, or hosts that none can be made for.
  case invalidCertificate
}

extension CryptoError: CustomStringConvertible {
  /// One sentence for a log.
  package var description: String {
    switch self {
    case .openSSL(let operation, let code):
      "OpenSSL refused \(operation) (error \(String(code, radix: 16)))"
    case .invalidPoint: "not an uncompressed point on P-256"
    case .invalidScalar: "not a private scalar of P-256"
    case .invalidLength: "a length that the algorithm does not have"
    case .authenticationFailed: "the authentication tag does not match"
    case .invalidCertificate: "not a certificate in PEM form"
    }
  }
}
