internal import EndpointRegistry
internal import PushDelivery

/// What the pipeline has to say, in its own words.
extension ServiceMetrics {
  /// A wake whose row was on disk has its answer, at `now`.
  func wakeEnded(_ wake: PreparedWake, _ answer: PushAnswer, at now: Int64) {
    let origin = wake.target.origin
    var outcome = AttemptOutcome(answer.outcome)
    // A test is merged into nothing: it failed.
    if answer.outcome == .crowded, wake.purpose == .test { outcome = .network }
    countWakes { counts in
      counts.wakeEnded(outcome, at: origin)
      if answer.status != nil || answer.outcome == .network {
        counts.requestEnded(at: origin, seconds: Double(answer.milliseconds) / 1_000)
      }
      if answer.status != nil, let raisedAt = wake.raisedAt {
        counts.alertAnswered(waited: wake.waited, seconds: Double(now - raisedAt) / 1_000)
      }
    }
  }

  /// A page of devices was settled: who got no wake, or a later one, and why.
  func settled(_ decisions: [(PendingWake, WakeDecision)]) {
    countWakes { counts in
      for (pending, decision) in decisions {
        let origin = pending.pushServer
        if pending.muted != nil { counts.wakeEnded(.muted, at: origin) }
        if pending.stale != nil { counts.wakeEnded(.stale, at: origin) }
        guard pending.newlyDue != nil else { continue }
        switch decision {
        // What came last stood behind the window too, with what waited before it.
        case .send: if pending.hasWaited { counts.wakeEnded(.coalesced, at: origin) }
        case .wait(let outcome): counts.wakeEnded(outcome, at: origin)
        case .pass: break
        }
      }
    }
  }
}

extension PendingWake {
  /// Whether some of what is due stood behind a window, a pause or a push server without a free place.
  var hasWaited: Bool { due != newlyDue }
}
