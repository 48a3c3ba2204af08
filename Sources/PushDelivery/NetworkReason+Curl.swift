internal import CCurl
internal import Glibc
internal import HTTPClient

extension CurlEasy {
  /// How many octets of requests went out, repetitions included.
  var octetsSent: Int { info(CURLINFO_REQUEST_SIZE) }

  /// Words for a transfer that ended without a status.
  func networkReason(_ failure: CurlFailure) -> String {
    switch failure.kind {
    case .nameNotResolved: return NameResolutionError.failed.detail
    case .cannotConnect:
      switch Int32(info(CURLINFO_OS_ERRNO)) {
      case ECONNREFUSED: return NetworkReason.connectionRefused.rawValue
      case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT:
        return NetworkReason.networkUnreachable.rawValue
      default: return NetworkReason.notConnected.rawValue
      }
    case .timedOut: return (octetsSent > 0 ? NetworkReason.noAnswer : .noConnection).rawValue
    case .certificate: return NetworkReason.certificate(info(CURLINFO_SSL_VERIFYRESULT))
    case .authorities: return NetworkReason.authoritiesUnreadable.rawValue
    case .closed: return NetworkReason.closedWithoutAnswer.rawValue
    case .malformedAnswer: return NetworkReason.notHTTP.rawValue
    case .stoppedByCallback: return NetworkReason.tooMuch.rawValue
    case .handshake, .misuse, .other: return "\(failure)"
    }
  }

  private func info(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe wake_easy_get_long(pointer, info, &value)
    return value
  }
}
