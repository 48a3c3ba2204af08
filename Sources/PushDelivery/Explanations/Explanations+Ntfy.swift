extension Explanations {
  private static let access = "On the ntfy server run: ntfy access everyone 'up*' write-only"
  private static let limits =
    "On an ntfy of your own name this machine in visitor-request-limit-exempt-hosts (server.yml) and restart it. On ntfy.sh wait: it takes one more wake every 5 seconds."
  private static let tomorrow =
    "ntfy counts anew at midnight UTC; what is tried before, at the end of each pause, it refuses again. With an ntfy of your own, or an account there, the limit is yours to set."

  /// By the code in its answer.
  static let ntfy: [Int: Explanation] = [
    40101: Explanation("ntfy asks for a login before anybody may write to this topic.", fix: access),
    40301: Explanation("ntfy lets nobody write to this topic unasked.", fix: access),
    40401: Explanation(
      "There is no such page on this ntfy.",
      fix: "Check base-url in ntfy's server.yml, then have the app register again."),
    40501: Explanation("ntfy does not take a POST at this address.", fix: "Have the app register again."),
    41301: Explanation(
      "ntfy took the wake for an attachment that is too large, or the day's volume is used up.", fix: tomorrow
    ),
    42901: Explanation("ntfy has had too many requests from this machine.", fix: limits),
    42902: Explanation("ntfy has had too many e-mails from this machine.", fix: tomorrow),
    42903: Explanation("ntfy has too many subscriptions from this machine.", fix: limits),
    42904: Explanation("ntfy has too many topics: its overall limit is reached.", fix: limits),
    42905: Explanation("The day's volume at ntfy is used up.", fix: tomorrow),
    42908: Explanation("The day's messages at ntfy are used up.", fix: tomorrow),
    42909: Explanation("ntfy has had too many failed logins from this machine.", fix: limits),
    50001: Explanation(
      "ntfy has a fault of its own.", fix: "Look in its log (journalctl -u ntfy) at the time of the wake."),
    50701: Explanation(
      "No phone has listened on this ntfy topic of late.",
      fix: "Open the ntfy app on the phone, see that it is connected, and take it out of battery saving."),
  ]

  /// By the status, where there is no code that is known.
  static let ntfyStatus: [Int: Explanation] = [
    404: Explanation(
      "ntfy never says that a topic is unknown: something in front of it answers, or base-url is wrong.",
      fix:
        "Check the proxy in front of ntfy and base-url in its server.yml, then have the app register again."),
    429: Explanation("ntfy has had too many requests from this machine.", fix: limits),
    507: Explanation(
      "No phone has listened on this ntfy topic of late.",
      fix: "Open the ntfy app on the phone, see that it is connected, and take it out of battery saving."),
    502: proxied, 503: proxied, 504: proxied,
  ]
  private static let proxied = Explanation(
    "ntfy does not run, or the proxy in front of it does not reach it.",
    fix: "On the ntfy server run: systemctl status ntfy")
}
