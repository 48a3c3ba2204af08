internal import HTTPListener
internal import StrictJSON

extension PushServerCharacter {
  /// Apple's web push, for Safari and web apps on the home screen.
  static let apple = PushServerCharacter(
    accepting: { HTTPResponse(status: 201, headers: [("apns-id", $0.shownDigest)]) },
    refusing: { fault, push in
      switch fault.part {
      case .method: reason(405, "MethodNotAllowed")
      case .authorization, .audience, .expiry, .subject: reason(403, "BadJwtToken")
      case .key: reason(400, "VapidPkHashMismatch")
      case .ttl: reason(400, "BadTtl")
      case .urgency: reason(400, "BadUrgency")
      case .topic: reason(400, "BadWebPushTopic")
      case .length where push.request.body.isEmpty: reason(400, "BadWebPushRequest")
      case .length: reason(413, "PayloadTooLarge")
      case .framing, .encoding, .record: reason(400, "BadWebPushRequest")
      }
    },
    conditions: [
      .init("gone", "410 Unregistered: the subscription has ended") { _ in reason(410, "Unregistered") },
      .init("other-key", "400 VapidPkHashMismatch: the key is not the endpoint's") { _ in
        reason(400, "VapidPkHashMismatch")
      },
      .init("bad-jwt", "403 BadJwtToken") { _ in reason(403, "BadJwtToken") },
      .init("bad-topic", "400 BadWebPushTopic") { _ in reason(400, "BadWebPushTopic") },
      .init("throttled", "429 TooManyRequests") { _ in reason(429, "TooManyRequests") },
      .init("overloaded", "503 ServiceUnavailable") { _ in reason(503, "ServiceUnavailable") },
    ])

  private static func reason(_ status: Int, _ reason: String) -> HTTPResponse {
    .json(status, ["reason": .string(reason)])
  }
}
