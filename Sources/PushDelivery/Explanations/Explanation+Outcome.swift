extension Explanation {
  /// What a status means that the push server gives no meaning of its own, with its words.
  static func answered(
    _ outcome: PushOutcome, _ status: Int, words: String?, by server: PushServerKind
  ) -> Explanation {
    let (cause, fix) = general(outcome, status, words.flatMap { VAPIDComplaint($0) })
    let said = words.map { " Its words: “\($0)”" } ?? " It gave no reason."
    return Explanation("\(server.name.beginning) \(cause)\(said)", fix: fix)
  }

  private static func general(
    _ outcome: PushOutcome, _ status: Int, _ complaint: VAPIDComplaint?
  ) -> (cause: String, fix: String) {
    let log = "Look in the push server's log at the time of the wake, or ask who runs it."
    return switch outcome {
    case .gone: ("does not know the endpoint any more (\(status)).", Explanations.registerAgain)
    case .throttled:
      (
        "asks for a pause (\(status)).",
        "Nothing has to be done: one wake goes out at its end. If it happens often, set a longer WAKE_WINDOW, or use a push server of your own."
      )
    case .unsubscribed:
      (
        "says that nobody listens on the endpoint at present (\(status)).",
        "Open the distributor's app on the phone, see that it is connected, and take it out of battery saving."
      )
    case .refused where complaint == .key:
      ("does not take this stack's VAPID key (\(status)).", Explanations.key.fix)
    case .refused where complaint == .token:
      ("does not take this stack's VAPID token (\(status)).", Explanations.token.fix)
    case .refused:
      (
        "does not let this service send (\(status)).",
        "Give everybody who knows an endpoint leave to post to it there, as UnifiedPush asks; a login in front of it must not be asked of wakes. \(log)"
      )
    case .oversize:
      (
        "finds the wake too large (\(status)).",
        "A wake is always 256 octets: have the push server, or the proxy in front of it, take at least 4096."
      )
    case .redirected:
      (
        "answers with another address (\(status)), which is never followed.",
        "Set the push server's public URL to the address that it really has, then have the app register again."
      )
    case .server:
      (
        "has a fault of its own, or the proxy in front of it does not reach it (\(status)).",
        "See that the push server runs. \(log) The next alert sends a new wake."
      )
    case .rejected, .accepted, .network, .blocked, .unknown, .held, .crowded:
      ("answered \(status), and what it means by that is not known here.", log)
    }
  }

  /// What an outcome without an answer means, where the words beside it are not known.
  static func unanswered(_ outcome: PushOutcome, words: String?, _ origin: String?) -> Explanation? {
    switch outcome {
    case .accepted: nil
    case .network:
      Explanation(
        "No answer came from \(origin.named)\(words.map { ", and why is not known here: “\($0)”" } ?? ".")",
        fix: "See that it runs, and \(origin.tryout)")
    case .blocked:
      Explanation(
        "The endpoint leads where pushes must not go, by the address policy of this service.",
        fix:
          "If it is a push server of your own, add \(origin ?? "its origin") to WAKE_PUSH_ALLOW and restart."
      )
    case .unknown:
      Explanation(
        "No answer is on record: the wake is under way, or the service ended before one came. It may have arrived.",
        fix: "Nothing has to be done: no wake is sent twice, and the next alert sends a new one.")
    case .held:
      Explanation(
        "The push server asked for a pause, which is not over.",
        fix:
          "Nothing has to be done: one wake goes out at its end. If it happens often, set a longer WAKE_WINDOW."
      )
    case .crowded: NetworkReason.queueFull.explanation(origin)
    case .gone: NetworkReason.foundGone.explanation(origin)
    // A row without a status, of an outcome that only a status makes: not one that this service writes.
    case .throttled, .unsubscribed, .refused, .oversize, .rejected, .redirected, .server:
      Explanation(
        "\(origin.named.beginning) did not take the wake (\(outcome.rawValue)), and its answer was not kept.",
        fix: "Send a test wake to see it: wake device test DEVICE")
    }
  }
}

extension Explanation {
  /// The device does not want to be woken for the kind.
  package static let muted = Explanation(
    "The device is muted for this kind: its app asked not to be woken for it.",
    fix: "Nothing is wrong. The app changes it, or: wake device mute DEVICE none")
  /// Another wake tells the device of the alert as well.
  package static let coalesced = Explanation(
    "The device gets one wake for several alerts in a short time; another one stands for this.",
    fix: "Nothing is wrong. The time is WAKE_WINDOW, or wake stack set STACK --window.")
  /// The alert came when nobody could be woken, and is old.
  package static let stale = Explanation(
    "By the time that a wake could be sent the alert was too old to wake anybody for.",
    fix: "Nothing is wrong. The app reads the alert from the record.")

  /// A status of success with a page for a browser.
  package static func webPage(pushServer origin: String?) -> Explanation {
    Explanation(
      "What answers at \(origin.named) is a web page and no push server's answer: the wake may be lost.",
      fix:
        "See that a login page, a captive portal or a web server does not stand before the push server: \(origin.tryout)"
    )
  }

  /// An endpoint that is said to be gone by a page for a browser.
  static func goneByPage(
    _ status: Int, words: String, by server: PushServerKind, _ origin: String?
  ) -> Explanation {
    Explanation(
      "\(server.name.beginning) does not know the endpoint any more (\(status)), or a proxy in front of it said so: its words are a web page. “\(words)”",
      fix:
        "See that requests get to the push server itself: \(origin.tryout). Then: \(Explanations.registerAgain)"
    )
  }

  /// A wake that the push server took and the phone has not confirmed. `kind` is what its answer showed; nil where only
  /// the origin can tell.
  package static func noReceipt(pushServer origin: String?, kind: PushServerKind? = nil) -> Explanation {
    let app =
      "On the phone, take the distributor's app out of battery saving, and open it to see that it is connected"
    // An app that pins a certificate which is no more can hand nothing back, and tells nobody.
    let openApp =
      "If it is, open the app that wakes go to and have it register again; where the service's certificate was made anew since, pair it again."
    return switch kind ?? PushServerKind(origin: origin) {
    case .ntfy:
      Explanation(
        "ntfy took the wake, which it does for any topic, and the phone has not confirmed it.",
        fix:
          "\(app) to \(origin ?? "this ntfy"). \(openApp)"
      )
    case .prosody:
      Explanation(
        "Prosody took the wake, which is lost where the phone's XMPP client is offline.",
        fix: "\(app).")
    case .fcm, .apple, .windows:
      Explanation(
        "The push server took the wake, and the phone has not confirmed it.",
        fix:
          "On the phone, allow the app to work in the background and to notify, and take it out of battery saving."
      )
    case .autopush, .nextPush, .unknown:
      Explanation(
        "The push server took the wake, and the phone has not confirmed it.",
        fix: "\(app). \(openApp)")
    }
  }
}
