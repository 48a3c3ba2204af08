extension Optional where Wrapped == String {
  /// What to type to have the certificate of an origin trusted, and only where it is the operator's own.
  var trustingCertificate: String {
    "fetch the push server's: `openssl s_client -connect \(peer) -showcerts </dev/null | openssl x509 > push.pem`. "
      + "Its fingerprint (`openssl x509 -in push.pem -noout -sha256 -fingerprint`) must be the one of the file there. "
      + "Then set WAKE_PUSH_CA_FILE=/path/push.pem and restart."
  }

  /// `HOST:PORT` of an origin.
  private var peer: String {
    guard let origin = self else { return "HOST:PORT" }
    let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
    // An IPv6 address stands in brackets, and has colons of its own.
    let behindAddress = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
    return behindAddress.contains(":") ? String(authority) : "\(authority):443"
  }
}
