internal import EndpointRegistry
internal import PushDelivery

/// What a push server said to a wake, as findings: the wake, the clock, the answer.
struct AnswerCheck {
  let answer: PushAnswer
  let origin: String
  /// Our time when it came, in milliseconds since 1970.
  let at: Int64

  private var outcome: AttemptOutcome { AttemptOutcome(answer.outcome) }

  /// Whether the wake left this machine.
  private var wentOut: Bool {
    switch answer.outcome {
    case .blocked, .held, .crowded, .unknown: false
    default: true
    }
  }

  var findings: [DoctorFinding] {
    guard wentOut else { return [unsent] }
    let clock = ClockCheck(sighting: answer.date.map { .init(date: $0, origin: origin, at: at) }).timed
    let isOfClock = clock.verdict == .fault && outcome == .refused
    return [
      .ok(.wake, "sent"), clock, isOfClock ? .skipped(.answer, seen + Self.ofClock) : said,
    ]
  }

  /// What is said of a refusal that follows from our clock.
  static let ofClock = ", as the clock is wrong"

  private var seen: String { answer.status.map { "status \($0)" } ?? "none came" }

  private var said: DoctorFinding {
    if outcome == .accepted, answer.isPage {
      return DoctorFinding.warning(.answer, "\(seen), with a web page", .webPage(pushServer: origin))
        .took(answer.milliseconds)
    }
    guard outcome != .accepted else {
      return DoctorFinding.ok(.answer, seen).took(answer.milliseconds)
    }
    return DoctorFinding.fault(.answer, seen, why).took(answer.milliseconds)
  }

  private var unsent: DoctorFinding {
    switch answer.outcome {
    case .held: return Self.held(until: answer.heldUntil, why)
    case .crowded: return Self.crowded
    default:
      return .fault(.wake, "it was not sent", why)
    }
  }

  private var why: Explanation {
    outcome.explanation(status: answer.status, reason: answer.reason, pushServer: origin)
      ?? Explanation("The wake did not get through.", fix: "Run this again.")
  }

  /// A pause that a push server asked for before, and why it did.
  static func held(until: Int64?, _ why: Explanation) -> DoctorFinding {
    let end = until.map { " until \(LocalTime.words($0))" } ?? ""
    return .fault(.wake, "not sent: it is held\(end)", why)
  }

  /// Too many wakes wait for one push server.
  static let crowded = DoctorFinding.fault(
    .wake, "not sent: too many wakes wait for this push server",
    cause: "the push server answers slowly, or not at all",
    fix: "look at the push server's own load; wake attempts --outcome network shows how long this has been so"
  )
}
