/// Why a request does not reach the handler. After every refusal the connection is closed.
package enum GateRefusal: Sendable, Equatable {
  /// The message's framing is faulty or can be read in two ways; the text says how.
  case badFraming(String)
  /// The request line or a field is malformed; the text says how.
  case badRequest(String)
  /// A transfer coding other than `chunked` (RFC 9112 §6.1).
  case unsupportedTransferCoding
  /// An HTTP version other than 1.0 and 1.1.
  case unsupportedVersion
  /// An expectation other than `100-continue` (RFC 9110 §10.1.1).
  case unmetExpectation
  /// More content than `HTTPLimits.bodyOctets`, announced or sent.
  case bodyTooLarge
  /// More fields than `HTTPLimits.fields`. Heads beyond `HTTPLimits.connectionOctets` are answered by the library.
  case headTooLarge
  /// More connections than `HTTPLimits.connections`.
  case tooManyConnections
  /// The listener is stopping.
  case stopping

  /// The status that fits.
  package var status: Int {
    switch self {
    case .badFraming, .badRequest: 400
    case .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    case .unmetExpectation: 417
    case .bodyTooLarge: 413
    case .headTooLarge: 431
    case .tooManyConnections, .stopping: 503
    }
  }

  /// A sentence for whoever sent the request; it contains nothing of the request.
  package var detail: String {
    switch self {
    case .badFraming(let fault), .badRequest(let fault): fault
    case .unsupportedTransferCoding: "the only transfer coding understood is chunked"
    case .unsupportedVersion: "only HTTP/1.1 and HTTP/1.0 are understood"
    case .unmetExpectation: "the only expectation understood is 100-continue"
    case .bodyTooLarge: "the request's content is too large"
    case .headTooLarge: "the request has too many header fields"
    case .tooManyConnections: "too many connections are open"
    case .stopping: "the service is stopping"
    }
  }
}
