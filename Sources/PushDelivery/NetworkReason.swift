/// Why no answer came, in our own fixed words: nothing of what a peer said is in them. Rows keep these words and are read
/// by them again, so they do not change.
package enum NetworkReason: String, Sendable, CaseIterable {
  case closedWithoutAnswer = "the push server closed the connection without an answer"
  case noConnection =
    "no connection to the push server in time; check its address and what lies between"
  case noAnswer = "the push server did not answer in time"
  case queueFull = "too many wakes are waiting; this one was not sent"
  case silentQueueFull =
    "the push server does not answer, and too many wakes wait for it; this one was not sent"
  case namesCrowded = "too many names are being resolved; this wake was not sent"
  case notHTTP = "the push server's answer is not HTTP"
  case tooMuch = "the push server sent too much without an answer"
  case notSentBeforeStop = "the service was stopping; this wake was not sent"
  case stoppedUnderWay = "the service stopped before an answer came; the wake may have gone out"
  case connectionRefused = "the push server refused the connection: nothing listens there"
  case networkUnreachable = "the push server's network cannot be reached"
  case notConnected = "no connection to the push server"
  case certificateOtherName = "the push server's certificate is for another name"
  case certificateNotYetValid = "the push server's certificate is not valid yet; check the clock"
  case certificateExpired = "the push server's certificate has expired"
  case certificateSelfSigned =
    "the push server's certificate is self-signed; name it in WAKE_PUSH_CA_FILE to trust it"
  case certificateUnknownAuthority =
    "the push server's certificate is of an authority that is not trusted; name that one in WAKE_PUSH_CA_FILE"
  case certificateRevoked = "the push server's certificate was revoked"
  /// OpenSSL's verification result stands behind it.
  case certificateUntrusted = "the push server's certificate is not trusted"
  case authoritiesUnreadable = "the file of authorities that WAKE_PUSH_CA_FILE names cannot be read"
  case foundGone = "the endpoint was gone, as another wake found; this one was not sent"
  case notEncrypted = "the wake could not be encrypted or signed"

  /// A certificate that is not trusted, by OpenSSL's verification result (`X509_STORE_CTX_get_error(3)`).
  static func certificate(_ verification: Int) -> String {
    let fault = CertificateFault(verification: verification)
    guard case .other(let number) = fault else { return fault.reason.rawValue }
    return "\(fault.reason.rawValue) (verification error \(number))"
  }
}
