internal import HTTPListener

extension PushServerCharacter {
  /// Google's, for Chrome and everything that is built on it.
  static let fcm = PushServerCharacter(
    accepting: { push in
      HTTPResponse(status: 201, headers: [("Location", "\(push.origin)/message/\(push.shownDigest)")])
    },
    refusing: { fault, push in
      let sentence = "\(fault.part.rawValue) \(fault.detail)"
      return switch fault.part {
      case .method: HTTPResponse(status: 405)
      case .authorization, .audience, .expiry, .subject, .key: .text(403, "VAPID: \(sentence)")
      case .length: .text(push.request.body.isEmpty ? 400 : 413, sentence)
      case .ttl, .encoding: .text(400, sentence)
      case .framing, .urgency, .topic, .record: nil
      }
    },
    conditions: [
      .init("gone", "410 NotRegistered: the subscription has ended") { _ in .text(410, "NotRegistered") },
      .init("other-key", "403: the VAPID key is not the endpoint's") { _ in
        .text(403, "the VAPID credentials are not those of the subscription")
      },
      .init("throttled", "429: too many messages") { _ in .text(429, "QuotaExceeded") },
      .init("overloaded", "503 with Retry-After: 60") { _ in
        .text(503, "Unavailable", headers: [("Retry-After", "60")])
      },
    ])
}
