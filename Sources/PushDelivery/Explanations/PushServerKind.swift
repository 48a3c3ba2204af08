/// What program a push server is, as far as its name and its answers show.
package enum PushServerKind: Sendable, CaseIterable {
  case ntfy, autopush, nextPush, prosody, fcm, apple, windows
  /// Any other.
  case unknown

  /// By the host first, then by the shape of its answer, then by what people call such a host.
  package init(origin: String?, status: Int? = nil, words: String? = nil) {
    let host = origin.map(Self.host)
    self =
      host.flatMap(Self.ofService) ?? Self.ofAnswer(status: status, words: words)
      ?? host.flatMap(Self.ofUsualName) ?? .unknown
  }

  /// What people call it.
  package var name: String {
    switch self {
    case .ntfy: "ntfy"
    case .autopush: "Mozilla's autopush"
    case .nextPush: "NextPush"
    case .prosody: "Prosody"
    case .fcm: "Google's FCM"
    case .apple: "Apple's push server"
    case .windows: "Microsoft's push server"
    case .unknown: "the push server"
    }
  }

  private static func host(of origin: String) -> String {
    let rest = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
    return String(rest.prefix { $0 != ":" && $0 != "/" }).lowercased()
  }

  private static func ofService(_ host: String) -> PushServerKind? {
    switch host {
    case "ntfy.sh": .ntfy
    case "fcm.googleapis.com", "android.googleapis.com", "jmt17.google.com": .fcm
    case _ where host.hasSuffix(".push.services.mozilla.com"): .autopush
    case _ where host.hasSuffix(".push.apple.com"): .apple
    case _ where host.hasSuffix(".notify.windows.com"): .windows
    default: nil
    }
  }

  private static func ofAnswer(status: Int?, words: String?) -> PushServerKind? {
    guard let status, let words else { return nil }
    // ntfy says again what it was given to publish.
    if (200..<300).contains(status) {
      return [#""event":"message""#, #""topic":""#].allSatisfy(words.contains) ? .ntfy : nil
    }
    switch PushServerCode(status: status, words: words) {
    case .ntfy: return .ntfy
    case .autopush: return .autopush
    case .apple(let reason) where Explanations.apple[reason] != nil: return .apple
    case .fcm: return .fcm
    case .apple, nil: return words.contains(#""success":false"#) ? .nextPush : nil
    }
  }

  private static func ofUsualName(_ host: String) -> PushServerKind? {
    switch host.prefix(while: { $0 != "." }) {
    case "ntfy": .ntfy
    case "nextpush", "nextcloud": .nextPush
    case "prosody", "xmpp": .prosody
    default: nil
    }
  }
}
