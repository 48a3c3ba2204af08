internal import EndpointRegistry

/// What a push server said last, where it can be reached and no wake is sent.
struct LastAnswerCheck {
  let server: PushServerDelivery

  var finding: DoctorFinding { judged.about(server.origin) }

  private var judged: DoctorFinding {
    if let until = server.heldUntil {
      let explanation = DoctorExplanation(origin: server.origin, outcome: .held, status: nil, reason: nil)
      return .warning(
        .answer, "it asked for a pause until \(Presentation.time(until))", cause: explanation.cause,
        fix: explanation.fix)
    }
    guard let outcome = server.lastOutcome, let at = server.lastAt else {
      return .skipped(.answer, "no wake has gone there yet")
    }
    let seen = [
      "the last wake, \(Presentation.time(at)): \(outcome.rawValue)", server.lastStatus.map { "status \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
    let explanation = DoctorExplanation(
      origin: server.origin, outcome: outcome, status: server.lastStatus, reason: server.reason)
    switch outcome {
    // An endpoint that is gone is no fault of who says so.
    case .accepted, .gone, .muted, .coalesced, .stale, .unknown, .held: return .ok(.answer, seen)
    case .refused, .rejected, .oversize, .redirected:
      return .fault(.answer, seen, cause: explanation.cause, fix: explanation.fix)
    case .throttled, .unsubscribed, .server, .network, .blocked:
      return .warning(.answer, seen, cause: explanation.cause, fix: explanation.fix)
    }
  }
}
