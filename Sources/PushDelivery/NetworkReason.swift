/// Why no answer came, in our own fixed words: nothing of what a peer said is in them.
enum NetworkReason {
  static let closedWithoutAnswer = "the push server closed the connection without an answer"
  static let noConnection =
    "no connection to the push server in time; check its address and what lies between"
  static let noAnswer = "the push server did not answer in time"
  static let queueFull = "too many wakes are waiting; this one was not sent"
  static let silentQueueFull =
    "the push server does not answer, and too many wakes wait for it; this one was not sent"
  static let namesCrowded = "too many names are being resolved; this wake was not sent"
  static let notHTTP = "the push server's answer is not HTTP"
  static let tooMuch = "the push server sent too much without an answer"
  static let notSentBeforeStop = "the service was stopping; this wake was not sent"
  static let stoppedUnderWay = "the service stopped before an answer came; the wake may have gone out"

  /// A connection that was not made, by the system's `errno`.
  static func notConnected(_ error: Kind) -> String {
    switch error {
    case .refused: "the push server refused the connection: nothing listens there"
    case .unreachable: "the push server's network cannot be reached"
    case .other: "no connection to the push server"
    }
  }

  /// What hindered a connection.
  enum Kind { case refused, unreachable, other }

  /// A certificate that is not trusted, by OpenSSL's verification result (`X509_STORE_CTX_get_error(3)`).
  static func certificate(_ verification: Int) -> String {
    switch verification {
    // libcurl's own check of the name comes before OpenSSL's result is asked for; 1 is "none yet".
    case 0, 1: "the push server's certificate is for another name"
    case 9: "the push server's certificate is not valid yet; check the clock"
    case 10: "the push server's certificate has expired"
    case 18: "the push server's certificate is self-signed; name it in WAKE_PUSH_CA_FILE to trust it"
    case 19, 20, 21:
      "the push server's certificate is of an authority that is not trusted; name that one in WAKE_PUSH_CA_FILE"
    case 23: "the push server's certificate was revoked"
    case 62, 64: "the push server's certificate is for another name"
    default: "the push server's certificate is not trusted (verification error \(verification))"
    }
  }
}
