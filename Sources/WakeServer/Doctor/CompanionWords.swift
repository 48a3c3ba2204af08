internal import EndpointRegistry

/// What a companion is told by the doctor: nothing of paths, settings, addresses and names of the operator's side.
enum CompanionWords {
  private static let registerAgain =
    "register a new subscription: choose the distributor in the app once more"
  private static let askOperator = "ask whoever runs the service to run `wake doctor` with this device's id"

  /// One wording for every way of not being reached.
  static let unreached = DoctorFinding.fault(
    .reach, "the push server could not be reached",
    cause: "no wake can get to the push server from the service",
    fix: askOperator)

  /// At the link that the service could not look at.
  static func unavailable(_ link: DoctorLink) -> DoctorFinding {
    .fault(
      link, "it could not be looked at", cause: "the service cannot do it just now",
      fix: "try again in a few minutes; then \(askOperator)")
  }

  /// With a warning where it is muted: a test wake goes past that.
  static func registered(_ device: Device) -> DoctorFinding {
    guard let mutes = WakeRulesCheck.mutes(of: device) else {
      return .ok(.registration, "a subscription is registered")
    }
    return .warning(
      .registration, "a subscription is registered, and \(mutes)",
      cause: "this app asked not to be woken for it", fix: "if that is not meant, change it in this app")
  }

  static let reached = DoctorFinding.ok(.reach, "the push server was reached")

  static func registration(_ device: Device) -> DoctorFinding {
    guard let gone = device.gone, device.pushServer == nil else {
      return .fault(
        .registration, "no subscription can be woken",
        cause: "this device has none, or one that cannot be used",
        fix: registerAgain)
    }
    return .fault(
      .registration, "the subscription is gone", cause: "the push server said \(gone.status): it has ended",
      fix: registerAgain)
  }

  static func held(_ until: Int64) -> DoctorFinding {
    let end = Presentation.time(until)
    return .fault(
      .wake, "not sent: the push server asked for a pause until \(end)",
      cause: "the push server had too many messages of late",
      fix: "wait until then; alerts are kept meanwhile")
  }

  /// The status alone: a push server's words may be those of anything that listens inside the operator's network.
  static func answer(_ outcome: AttemptOutcome, status: Int) -> DoctorFinding {
    let seen = "the push server answered with status \(status)"
    guard outcome != .accepted else { return .ok(.answer, seen) }
    let (cause, fix) =
      switch outcome {
      case .gone: ("the push server does not know the endpoint any more", registerAgain)
      case .unsubscribed:
        (
          "nobody listens on the endpoint at present",
          "open the distributor's app on this phone, and see that it is connected"
        )
      case .throttled: ("the push server asks for a pause", "wait for it to pass; alerts are kept meanwhile")
      case .refused:
        (
          "the push server does not let the service send",
          "\(registerAgain); where that does not help, \(askOperator)"
        )
      default: ("the push server did not take the wake", "try again in a few minutes; then \(askOperator)")
      }
    return .fault(.answer, seen, cause: cause, fix: fix)
  }
}
