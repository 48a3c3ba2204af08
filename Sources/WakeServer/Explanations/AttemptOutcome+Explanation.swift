package import EndpointRegistry
package import PushDelivery

extension AttemptOutcome {
  /// What a row with this outcome means; nil where nothing has to be explained.
  ///
  /// `origin` is the push server's, `reason` what the row keeps of its words or ours.
  package func explanation(status: Int?, reason: String?, pushServer origin: String?) -> Explanation? {
    let outcome: PushOutcome
    switch self {
    case .muted: return .muted
    case .stale: return .stale
    // One that says why was not sent for want of room.
    case .coalesced where reason == nil: return .coalesced
    case .coalesced: outcome = .crowded
    case .accepted: outcome = .accepted
    case .gone: outcome = .gone
    case .throttled: outcome = .throttled
    case .unsubscribed: outcome = .unsubscribed
    case .refused: outcome = .refused
    case .oversize: outcome = .oversize
    case .rejected: outcome = .rejected
    case .redirected: outcome = .redirected
    case .server: outcome = .server
    case .network: outcome = .network
    case .blocked: outcome = .blocked
    case .unknown: outcome = .unknown
    case .held: outcome = .held
    }
    return Explanation.of(outcome: outcome, status: status, reason: reason, pushServer: origin)
  }
}

extension Attempt {
  /// What the row means; nil for an accepted wake.
  package var explanation: Explanation? {
    outcome.explanation(status: status, reason: reason, pushServer: pushServer)
  }
}

extension PushServerDelivery {
  /// What the operator is told of the newest attempt; nil where it was accepted, or there was none.
  package var explanation: Explanation? {
    lastOutcome?.explanation(status: lastStatus, reason: reason, pushServer: origin)
  }

  /// The words that a core may read. What the address policy has to say names an address inside the network: that is for
  /// the operator.
  var toldReason: String? { lastOutcome == .blocked ? nil : reason }

  /// What a core is told of the newest attempt.
  var toldExplanation: Explanation? {
    lastOutcome?.explanation(status: lastStatus, reason: toldReason, pushServer: origin)
  }
}
