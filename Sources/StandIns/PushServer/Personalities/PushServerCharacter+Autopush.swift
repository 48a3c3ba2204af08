internal import HTTPListener
internal import StrictJSON

extension PushServerCharacter {
  /// Mozilla's autopush, which serves Firefox and Sunup.
  static let autopush = PushServerCharacter(
    accepting: { created($0) },
    refusing: { fault, push in
      let sentence = "\(fault.part.rawValue) \(fault.detail)"
      return switch fault.part {
      case .method: HTTPResponse(status: 405)
      case .authorization, .audience, .expiry, .subject, .key: error(401, 109, sentence)
      // A message without a body is a bare nudge there, and needs no encoding.
      case .length where push.request.body.isEmpty: nil
      case .encoding where push.request.body.isEmpty: nil
      case .length: error(413, 104, sentence)
      case .framing, .encoding, .record: error(400, 110, sentence)
      case .ttl: error(400, push.request.header("TTL") == nil ? 111 : 112, sentence)
      case .topic: error(400, 113, sentence)
      case .urgency: error(400, 114, sentence)
      }
    },
    conditions: [
      .init("unknown", "404, errno 102: no such endpoint") { _ in error(404, 102, "invalid token") },
      .init("gone", "410, errno 103: the user is gone") { _ in
        error(410, 103, "no such user", goneHeaders)
      },
      .init("unavailable", "410, errno 105: the endpoint went away meanwhile") { _ in
        error(410, 105, "the endpoint went away", goneHeaders)
      },
      .init("unsubscribed", "410, errno 106: the subscription has ended") { _ in
        error(410, 106, "no such subscription", goneHeaders)
      },
      .init("crypto", "400, errno 101: keys are missing") { _ in error(400, 101, "keys are missing") },
      .init("router", "400, errno 108: no such bridge") { _ in error(400, 108, "there is no such bridge") },
      .init("other-key", "401, errno 109: the key is not the endpoint's") { _ in
        error(401, 109, "the VAPID key is not the one of the subscription")
      },
      .init("bridge", "413, errno 104, above the 2744 octets of its bridge to FCM") { push in
        push.request.body.count > bridgeMaximum ? error(413, 104, "the payload is too large") : created(push)
      },
      .init("upstream", "502, errno 902: the bridge's own server refuses") { _ in
        error(502, 902, "the bridge failed")
      },
      .init("overloaded", "503, errno 201, with Retry-After: 120") { _ in
        error(503, 201, "come back later", [("Retry-After", "120")])
      },
    ])

  /// Octets that go through its bridge to FCM.
  private static let bridgeMaximum = 2_744
  private static let goneHeaders = [("Cache-Control", "max-age=86400")]

  private static func created(_ push: ReceivedPush) -> HTTPResponse {
    HTTPResponse(
      status: 201,
      headers: [
        ("Location", "\(push.origin)/m/\(push.shownDigest)"), ("TTL", push.request.header("TTL") ?? "0"),
      ])
  }

  private static func error(
    _ status: Int, _ errno: Int64, _ sentence: String, _ headers: [(String, String)] = []
  ) -> HTTPResponse {
    .json(
      status, ["code": .integer(Int64(status)), "errno": .integer(errno), "message": .string(sentence)],
      headers: headers)
  }
}
