extension Explanations {
  /// By the `errno` in its answer.
  static let autopush: [Int: Explanation] = [
    101: fault("The wake came to autopush without the keys of its encryption."),
    102: Explanation("autopush does not know this endpoint.", fix: registerAgain),
    103: ended, 105: ended, 106: ended,
    104: Explanation(
      "autopush finds the wake too large for the way to this phone.",
      fix:
        "A wake is always 256 octets, so this is a fault between the phone and autopush. \(registerAgain)"),
    108: Explanation("autopush does not know the way to this phone any more.", fix: registerAgain),
    109: Explanation("autopush does not take the VAPID token.", fix: token.fix),
    110: fault("autopush does not take the encryption of the wake."),
    111: fault("The wake came to autopush without a TTL."),
    112: Explanation(
      "autopush does not take the TTL.", fix: "Take WAKE_TTL out of the configuration and restart."),
    113: fault("autopush does not take the Topic."),
    114: fault("autopush does not take the Urgency."),
    201: Explanation("autopush is busy and asks for patience.", fix: passes),
    202: Explanation("autopush is busy and asks for patience.", fix: passes),
    901: bridge, 902: bridge, 903: bridge,
    999: Explanation("autopush has a fault of its own.", fix: passes),
  ]

  /// By the status, where there is no `errno` that is known.
  static let autopushStatus: [Int: Explanation] = [
    401: token, 403: token, 404: Explanation("autopush does not know this endpoint.", fix: registerAgain),
    410: ended, 500: busy, 502: bridge, 503: busy,
  ]

  private static let ended = Explanation("The subscription at autopush has ended.", fix: registerAgain)
  private static let bridge = Explanation(
    "autopush could not reach the phone's own push service.", fix: passes)
  private static let busy = Explanation("autopush is busy or has a fault of its own.", fix: passes)

  private static func fault(_ cause: String) -> Explanation {
    Explanation(cause, fix: ours)
  }
}
