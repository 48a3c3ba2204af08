/// The table: what each push server means by its own codes, and by statuses to which it gives a meaning of its own.
enum Explanations {
  static let registerAgain =
    "Open the app on the phone and have it register again; if that does not help, pair it anew (wake pair STACK)."
  static let passes = "Nothing has to be done: it passes by itself. The next alert sends a new wake."
  static let ours = "This is a fault of this service: please report it with the output of wake attempts."
  static let otherKey = Explanation(
    "The subscription was made with another VAPID key than the one that signs this stack's wakes.",
    fix: "The app has to register again: \(registerAgainShort) The key of before is not taken back.")
  static let token = Explanation(
    "The push server does not take the VAPID token or key that this service signs with.",
    fix:
      "Check this machine's clock (timedatectl), and that WAKE_CONTACT is an address that others can reach. If both are right, the subscription belongs to another key: open the app on the phone and have it register again."
  )
  static let key = Explanation(
    "The push server says that the subscription belongs to another VAPID key than the one that signs this stack's wakes.",
    fix:
      "The app has to register again: \(registerAgainShort) If that does not help, check this machine's clock (timedatectl), and that WAKE_CONTACT is an address that others can reach."
  )
  private static let registerAgainShort = "open it on the phone, or pair it anew (wake pair STACK)."
}

extension PushServerKind {
  /// What this server means by a status, beyond what everybody does; nil where that is nothing known.
  func explanation(of status: Int) -> Explanation? {
    switch self {
    case .ntfy: Explanations.ntfyStatus[status]
    case .autopush: Explanations.autopushStatus[status]
    case .nextPush: Explanations.nextPushStatus[status]
    case .prosody: Explanations.prosodyStatus[status]
    case .fcm: Explanations.fcmStatus[status]
    case .apple: Explanations.appleStatus[status]
    case .windows: Explanations.windowsStatus[status]
    case .unknown: nil
    }
  }
}
