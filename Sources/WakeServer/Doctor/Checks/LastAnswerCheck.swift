internal import EndpointRegistry
internal import PushDelivery

/// What a push server said last, where it can be reached and no wake is sent.
struct LastAnswerCheck {
  let server: PushServerDelivery
  /// Whether our clock is wrong: then a refusal follows from it.
  let isClockWrong: Bool

  var finding: DoctorFinding { judged.about(server.origin) }

  private var judged: DoctorFinding {
    if let until = server.heldUntil {
      let why = PauseCheck.why(server, at: server.origin)
      return .warning(.answer, "it asked for a pause until \(LocalTime.words(until))", why)
    }
    guard let outcome = server.lastOutcome, let at = server.lastAt else {
      return .skipped(.answer, "no wake has gone there yet")
    }
    let seen = [
      "the last wake, \(LocalTime.words(at)): \(outcome.rawValue)",
      server.lastStatus.map { "status \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
    let why = server.explanation ?? Self.unknown
    switch outcome {
    case .refused where isClockWrong: return .skipped(.answer, seen + AnswerCheck.ofClock)
    // An endpoint that is gone is no fault of who says so.
    case .accepted, .gone, .muted, .coalesced, .stale, .unknown, .held: return .ok(.answer, seen)
    case .refused, .rejected, .oversize, .redirected:
      return .fault(.answer, seen, why)
    case .throttled, .unsubscribed, .server, .network, .blocked:
      return .warning(.answer, seen, why)
    }
  }

  private static let unknown = Explanation(
    "The last wake did not get through.", fix: "Send one and see: wake doctor DEVICE")
}
