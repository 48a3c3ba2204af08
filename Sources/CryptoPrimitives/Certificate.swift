/// An X.509 certificate (RFC 5280): its octets, and what is read from them.
package struct Certificate: Sendable, Equatable {
  /// The certificate in DER form.
  package let der: [UInt8]
  /// The names and addresses that it is for, in their order.
  package let hosts: [CertificateHost]
  /// The last second of its validity, since 1970.
  package let notAfterSeconds: Int64
  /// Whether it is its own issuer: the subject is the issuer, and its own key verifies it.
  package let isSelfSigned: Bool

  /// The first certificate in PEM text, which in a chain is the server's own (RFC 8446 §4.4.2). Throws
  /// `invalidCertificate` where there is none.
  package init(firstOf pem: [UInt8]) throws(CryptoError) {
    let handle = try X509Handle(firstOf: pem)
    der = try handle.der()
    hosts = handle.hosts()
    notAfterSeconds = try handle.notAfterSeconds()
    isSelfSigned = handle.isSelfSigned()
  }

  /// SHA-256 over the DER form: 64 lower-case hexadecimal digits.
  package var fingerprint: String { Hex.encode(SHA256.digest(der)) }
}
