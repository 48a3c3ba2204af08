/// Whom a stand-in push server plays.
package enum PushServerPersonality: String, Sendable, CaseIterable {
  case strict, ntfy, nextpush, autopush, prosody, fcm, apple, hostile

  /// How that one behaves. The hostile one takes what is in order as the strict one does, save where a path names one
  /// of its faults (``HostileFault``).
  package var character: PushServerCharacter {
    switch self {
    case .strict, .hostile: .strict
    case .ntfy: .ntfy
    case .nextpush: .nextPush
    case .autopush: .autopush
    case .prosody: .prosody
    case .fcm: .fcm
    case .apple: .apple
    }
  }

  /// One line for help.
  package var summary: String {
    switch self {
    case .strict: "asks for all that the RFCs ask for, and says what is wrong"
    case .ntfy: "takes everything, echoes it, never says that an endpoint is gone"
    case .nextpush: "201 with TTL 0, checks nothing"
    case .autopush: "Mozilla's: errors in JSON with an errno"
    case .prosody: "mod_unified_push: 201 without TTL and Location"
    case .fcm: "Google's: 410 NotRegistered, 403 for a key that is not the endpoint's"
    case .apple: "Apple's web push: a reason in JSON"
    case .hostile: "as strict, but for a path of its own for each fault"
    }
  }
}
