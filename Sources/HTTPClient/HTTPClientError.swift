/// Why a request has no answer.
package enum HTTPClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody listens there, the name does not resolve, or the connection was not trusted.
  case unreachable(String)
  /// The answer was not complete in time.
  case timedOut
  /// The answer is longer than what the client keeps.
  case tooLarge
  /// Anything else: a request that cannot be sent, a connection that ended in the middle.
  case failed(String)

  /// A sentence for the log: no URL, no header, no body.
  package var description: String {
    switch self {
    case .unreachable(let reason): "unreachable: \(reason)"
    case .timedOut: "no complete answer in time"
    case .tooLarge: "the answer is longer than \(HTTPClient.bodyLengthMaximum) octets"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}
