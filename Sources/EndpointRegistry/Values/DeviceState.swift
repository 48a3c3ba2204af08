/// What is known of the delivery to a device; the raw values are the wire's.
package enum DeviceState: String, Sendable, CaseIterable {
  case noPush = "no-push"
  case unconfirmed
  case confirmed
  case silent
  case undelivered
  case held
  case gone

  /// The state that `facts` amount to at the time `at`. The first that matches: an erased endpoint, none at all, a
  /// pause that is not over, the last attempt's failure, wakes in a row that were not answered, a receipt for the subscription in use.
  package init(of facts: DeliveryFacts, at: Int64) {
    guard facts.hasSubscription else {
      self = facts.isGone ? .gone : .noPush
      return
    }
    guard facts.hold.end(at: at) == nil else {
      self = .held
      return
    }
    switch facts.lastOutcome {
    case nil, .accepted, .unknown, .muted, .coalesced, .held, .stale:
      self = facts.isSilent(at: at) ? .silent : facts.hasReceipt ? .confirmed : .unconfirmed
    case .gone, .throttled, .unsubscribed, .refused, .oversize, .rejected, .redirected, .server, .network,
      .blocked:
      self = .undelivered
    }
  }
}

extension DeliveryFacts {
  /// Whether wakes arrive at the push server and no further. Of a companion that never answered nothing is known.
  fileprivate func isSilent(at: Int64) -> Bool {
    guard hasEverAnswered, unanswered >= Self.silentWakes, let unansweredSince else { return false }
    return unansweredSince < at - Self.silentMilliseconds
  }
}
