internal import EndpointRegistry
internal import PushDelivery

extension AttemptOutcome {
  /// What a push server's answer means in the record.
  init(_ outcome: PushOutcome) {
    self =
      switch outcome {
      case .accepted: .accepted
      case .gone: .gone
      case .throttled: .throttled
      case .unsubscribed: .unsubscribed
      case .refused: .refused
      case .oversize: .oversize
      case .rejected: .rejected
      case .redirected: .redirected
      case .server: .server
      case .network: .network
      case .blocked: .blocked
      case .unknown: .unknown
      case .held: .held
      case .crowded: .coalesced
      }
  }
}
