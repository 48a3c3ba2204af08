extension Explanations {
  /// FCM's sentences, by how they begin.
  static let fcm: [String: Explanation] = [
    "do not correspond to the credentials used to create": otherKey,
    "VAPID credentials": otherKey,
    "NotRegistered": Explanation("The subscription at FCM has ended.", fix: registerAgain),
    "QuotaExceeded": Explanation("FCM has had too many wakes for this phone.", fix: passes),
  ]

  static let fcmStatus: [Int: Explanation] = [
    400: Explanation("FCM does not take the form of the wake.", fix: ours),
    401: token, 403: otherKey,
    404: Explanation("FCM does not know this endpoint.", fix: registerAgain),
    410: Explanation("The subscription at FCM has ended.", fix: registerAgain),
    429: Explanation("FCM has had too many wakes for this phone.", fix: passes),
    500: Explanation("FCM has a fault of its own.", fix: passes),
    503: Explanation("FCM is busy and asks for patience.", fix: passes),
  ]

  static let nextPushStatus: [Int: Explanation] = [
    404: Explanation("NextPush does not know this endpoint: its app was removed there.", fix: registerAgain),
    502: nextcloud, 503: nextcloud, 504: nextcloud,
  ]
  private static let nextcloud = Explanation(
    "Nextcloud is in maintenance, or NextPush or its Redis does not run.",
    fix: "On the Nextcloud server run: occ maintenance:mode, and look at occ app:list for uppush."
  )

  static let prosodyStatus: [Int: Explanation] = [
    400: Explanation("Prosody does not take the form of the wake.", fix: ours),
    404: Explanation("Prosody does not know this endpoint, or it has expired.", fix: registerAgain),
    413: Explanation("Prosody finds the wake too large.", fix: ours),
    500: Explanation(
      "Prosody answers so where it means that the endpoint is unknown, or that its XMPP side cannot be reached.",
      fix: "Look in Prosody's log (mod_unified_push). If it is well, have the app register again."),
  ]

  static let windowsStatus: [Int: Explanation] = [
    400: Explanation(
      "Microsoft's push server does not take a header of the wake, such as a TTL of 0.",
      fix: "Take WAKE_TTL out of the configuration and restart."),
    401: token, 403: otherKey,
    404: Explanation("Microsoft's push server does not know this endpoint.", fix: registerAgain),
    406: Explanation("Microsoft's push server has had too many wakes.", fix: passes),
    410: Explanation("The subscription at Microsoft's push server has ended.", fix: registerAgain),
    413: Explanation("Microsoft's push server finds the wake too large.", fix: ours),
    500: Explanation("Microsoft's push server has a fault of its own.", fix: passes),
    503: Explanation("Microsoft's push server is busy and asks for patience.", fix: passes),
  ]
}
