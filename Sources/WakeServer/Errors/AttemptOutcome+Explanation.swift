internal import EndpointRegistry

extension AttemptOutcome {
  /// Why a wake that was tried did not go through, where the attempt itself gives no reason; nil where it did.
  var explanation: String? {
    switch self {
    case .accepted, .muted, .coalesced, .stale: nil
    case .held: "the push server asked for a pause, which is not over"
    case .gone: "the push server does not know the endpoint any more"
    case .throttled: "the push server asks for a pause"
    case .unsubscribed: "nobody listens on the endpoint at present"
    case .refused: "the push server does not take this stack's VAPID key or its request"
    case .oversize: "the push server finds the wake too large"
    case .rejected: "the push server does not take the request"
    case .redirected: "the push server answers with another address, which is never followed"
    case .server: "the push server has a fault of its own"
    case .network: "the push server could not be reached"
    case .blocked: "the endpoint leads where pushes must not go"
    case .unknown: "the service ended before the push server's answer came"
    }
  }
}
