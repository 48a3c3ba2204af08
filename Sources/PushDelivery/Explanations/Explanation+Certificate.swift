extension Optional where Wrapped == String {
  /// What to type to have the certificate of an origin trusted, and only where it is the operator's own.
  var trustingCertificate: String {
    "fetch the push server's: `openssl s_client -connect \(map { $0.authority(port: 443) } ?? "HOST:PORT") -showcerts </dev/null | openssl x509 > push.pem`. "
      + "Its fingerprint (`openssl x509 -in push.pem -noout -sha256 -fingerprint`) must be the one of the file there. "
      + "Then set WAKE_PUSH_CA_FILE=/path/push.pem and restart."
  }
}
