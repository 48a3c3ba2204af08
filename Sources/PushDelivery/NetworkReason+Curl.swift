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
      case ECONNREFUSED: return NetworkReason.notConnected(.refused)
      case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT:
        return NetworkReason.notConnected(.unreachable)
      default: return NetworkReason.notConnected(.other)
      }
    case .timedOut: return octetsSent > 0 ? NetworkReason.noAnswer : NetworkReason.noConnection
    case .certificate: return NetworkReason.certificate(info(CURLINFO_SSL_VERIFYRESULT))
    case .closed: return NetworkReason.closedWithoutAnswer
    case .malformedAnswer: return NetworkReason.notHTTP
    case .stoppedByCallback: return NetworkReason.tooMuch
    case .handshake, .misuse, .other: return "\(failure)"
    }
  }

  private func info(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe wake_easy_get_long(pointer, info, &value)
    return value
  }
}
