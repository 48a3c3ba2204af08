/// What is known of the delivery to a device; the raw values are the wire's.
package enum DeviceState: String, Sendable, CaseIterable {
  case noPush = "no-push"
  case unconfirmed
  case confirmed
  case silent
  case undelivered
  case held
  case gone

  /// The state that `facts` amount to. The first that matches: an erased endpoint, none at all, the last attempt's
  /// failure, a receipt for the subscription in use.
  package init(of facts: DeliveryFacts) {
    guard facts.hasSubscription else {
      self = facts.isGone ? .gone : .noPush
      return
    }
    switch facts.lastOutcome {
    case nil, .accepted, .unknown, .muted, .coalesced, .held, .stale:
      self = facts.hasReceipt ? .confirmed : .unconfirmed
    case .throttled:
      self = .held
    case .gone, .unsubscribed, .refused, .oversize, .rejected, .redirected, .server, .network, .blocked:
      self = .undelivered
    }
  }
}
