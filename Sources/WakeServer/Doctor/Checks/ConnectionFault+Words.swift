internal import PushDelivery

extension ConnectionFault {
  /// What was seen, as a clause about `peer`.
  func words(of peer: String) -> String {
    switch self {
    case .refused: "\(peer) refused the connection: nothing listens there"
    case .unreachable: "the network of it cannot be reached"
    case .silent: "\(peer) gave no sign of life in time"
    case .silentTLS: "\(peer) took the connection and did not go on with TLS"
    case .authorities: "the file of authorities cannot be read"
    case .certificate(let fault): "its certificate \(fault.words)"
    case .handshake: "\(peer) speaks no TLS there, or only versions that are too old"
    case .denied(let address, _): "\(address) must not be connected to"
    case .other(let words): words
    }
  }
}
