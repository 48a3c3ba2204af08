extension Explanations {
  /// By the `reason` in its answer.
  static let apple: [String: Explanation] = [
    "BadJwtToken": Explanation(
      "Apple does not take the VAPID token.",
      fix:
        "Set WAKE_CONTACT to a mailto: or https: address that is not localhost or .local, check this machine's clock (timedatectl), and restart."
    ),
    "BadAuthorizationHeader": token, "ExpiredProviderToken": clock, "ExpiredJwtToken": clock,
    "VapidPkHashMismatch": otherKey,
    "BadTtl": Explanation(
      "Apple does not take the TTL.", fix: "Take WAKE_TTL out of the configuration and restart."),
    "BadUrgency": Explanation("Apple does not take the Urgency.", fix: ours),
    "BadWebPushTopic": Explanation("Apple does not take the Topic.", fix: ours),
    "BadWebPushRequest": Explanation("Apple does not take the form of the wake.", fix: ours),
    "BadPath": Explanation("Apple does not know this endpoint.", fix: registerAgain),
    "BadDeviceToken": Explanation("Apple does not know this endpoint.", fix: registerAgain),
    "MethodNotAllowed": Explanation("Apple does not take a POST at this address.", fix: registerAgain),
    "PayloadTooLarge": Explanation("Apple finds the wake too large.", fix: ours),
    "Unregistered": Explanation("The subscription at Apple has ended.", fix: registerAgain),
    "TooManyRequests": Explanation("Apple has had too many wakes for this phone.", fix: passes),
    "InternalServerError": busyApple, "ServiceUnavailable": busyApple, "Shutdown": busyApple,
  ]

  /// By the status, where there is no `reason` that is known.
  static let appleStatus: [Int: Explanation] = [
    401: token, 403: token, 404: Explanation("Apple does not know this endpoint.", fix: registerAgain),
    410: Explanation("The subscription at Apple has ended.", fix: registerAgain),
    429: Explanation("Apple has had too many wakes for this phone.", fix: passes),
    500: busyApple, 503: busyApple,
  ]

  private static let busyApple = Explanation(
    "Apple's push server is busy or has a fault of its own.", fix: passes)
  private static let clock = Explanation(
    "Apple finds the VAPID token expired.", fix: "Set this machine's clock: timedatectl set-ntp true")
}
