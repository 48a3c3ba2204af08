/// Why a connection that carries nothing was not made.
package enum ConnectionFault: Equatable, Sendable {
  /// Nothing listens on that port.
  case refused
  /// The network or the host cannot be reached.
  case unreachable
  /// No sign of life within the time for connecting.
  case silent
  /// The connection was made, and no TLS came of it in time.
  case silentTLS
  /// The file of authorities that are trusted cannot be read.
  case authorities
  /// The certificate is not taken.
  case certificate(CertificateFault)
  /// What answers speaks no TLS, or none that both sides know.
  case handshake
  /// An address that libcurl was about to use and must not.
  case denied(IPAddress, AddressRefusal)
  /// Anything else, in libcurl's own fixed words.
  case other(String)

  /// Whether the connection itself was made, and TLS is at fault.
  package var isOfTLS: Bool {
    switch self {
    case .silentTLS, .authorities, .certificate, .handshake: true
    case .refused, .unreachable, .silent, .denied, .other: false
    }
  }
}

/// What is wrong with a certificate.
package enum CertificateFault: Equatable, Sendable {
  case otherName, notYetValid, expired, selfSigned, unknownAuthority, revoked
  /// OpenSSL's verification result (`X509_STORE_CTX_get_error(3)`).
  case other(Int)

  /// What a verification result of OpenSSL means.
  init(verification: Int) {
    self =
      switch verification {
      // libcurl's own check of the name comes before OpenSSL's result is asked for; 1 is "none yet".
      case 0, 1, 62, 64: .otherName
      case 9: .notYetValid
      case 10: .expired
      case 18: .selfSigned
      case 19, 20, 21: .unknownAuthority
      case 23: .revoked
      default: .other(verification)
      }
  }

  /// What the matter is, as the end of a sentence about the certificate.
  package var words: String {
    switch self {
    case .otherName: "is for another name"
    case .notYetValid: "is not valid yet"
    case .expired: "has expired"
    case .selfSigned: "is signed by itself, and nobody here knows it"
    case .unknownAuthority: "is of an authority that is not trusted here"
    case .revoked: "was revoked"
    case .other(let number): "is not trusted (verification error \(number))"
    }
  }
}
