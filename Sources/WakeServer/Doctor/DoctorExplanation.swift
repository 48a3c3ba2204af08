internal import EndpointRegistry
internal import PushDelivery

/// Why a wake did not go through, and what to do about it.
struct DoctorExplanation {
  let cause: String
  let fix: String

  /// - Parameters:
  ///   - origin: the push server's.
  ///   - reason: its own words, or ours, as they stand in the attempt.
  init(origin: String, outcome: AttemptOutcome, status: Int?, reason: String?) {
    let own = reason.map { ": \($0)" } ?? ""
    cause = (outcome.explanation ?? "the push server took the wake") + own
    fix = Self.fix(origin: origin, outcome: outcome, status: status, reason: reason ?? "")
  }

  private static func fix(origin: String, outcome: AttemptOutcome, status: Int?, reason: String) -> String {
    if reason.contains("another VAPID key") || reason.contains("register again") { return registerAgain }
    switch outcome {
    case .gone: return registerAgain
    case .unsubscribed: return "open the ntfy app on the phone: nobody has listened there of late"
    case .refused where reason.contains("ntfy"): return "on the ntfy server: ntfy access everyone 'up*' write-only"
    case .refused:
      return "check this machine's clock, then WAKE_CONTACT; where both are right, register the app again"
    case .throttled, .held:
      return "wait until the pause is over: the next alert wakes then; `wake attempts` shows what sends so much"
    case .oversize: return "a wake has 256 octets: the push server's limit is too low, have its operator raise it"
    case .rejected: return "check that the endpoint's server speaks Web Push (RFC 8030), then register the app again"
    case .redirected:
      return "have the app register with the address that the push server redirects to: redirects are never followed"
    case .server: return "look at the push server's own log; the next wake is tried as usual"
    case .network: return "check that the push server runs, and what stands between; then run this again"
    case .blocked: return PushServerReach.allow(origin)
    case .unknown, .accepted, .muted, .coalesced, .stale: return "run this again"
    }
  }

  private static let registerAgain = "open the app on the phone and let it register again"

  /// What a phone that stays silent needs: its push server took the wake.
  static let deafCause = """
    the push server took the wake, and the phone did not hand its receipt back: it is off or offline, or its battery \
    saving lets the distributor sleep
    """
  static let deafFix = """
    on the phone: open the distributor (ntfy, Sunup, NextPush) and exempt it and the app from battery saving; \
    in ntfy, turn instant delivery on; then run this again
    """
}
