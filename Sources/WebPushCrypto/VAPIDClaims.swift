/// What a verified token says (RFC 8292 §2).
package struct VAPIDClaims: Sendable, Equatable {
  /// The furthest expiry that a push server takes, from the time of the request (RFC 8292 §2).
  package static let lifetimeMaximumSeconds: Int64 = 24 * 60 * 60

  /// `aud`: the push server's origin.
  package let audience: String
  /// `exp`: seconds since 1970.
  package let expiresAt: Int64
  /// `sub`: a contact URI, where one was given.
  package let subject: String?
  /// `k`: the public key that signed, 87 characters of base64url.
  package let publicKey: String

  /// What a push server asks besides the signature: that the token is meant for `audience`, has not expired at
  /// `seconds` (since 1970), and does not live longer than a day from then (RFC 8292 §2).
  package func isAcceptable(audience: String, atSeconds seconds: Int64) -> Bool {
    let (latest, overflow) = seconds.addingReportingOverflow(Self.lifetimeMaximumSeconds)
    return self.audience == audience && expiresAt > seconds && (overflow || expiresAt <= latest)
  }
}
