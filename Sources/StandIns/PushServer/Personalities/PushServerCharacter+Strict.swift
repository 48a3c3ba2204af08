internal import HTTPListener
internal import StrictJSON

extension PushServerCharacter {
  /// What RFC 8030, 8188, 8291 and 8292 ask for, with nothing forgiven.
  static let strict = PushServerCharacter(
    accepting: { created($0) },
    refusing: { fault, push in
      let sentence = "\(fault.part.rawValue): \(fault.detail)"
      return switch fault.part {
      case .method: problem(405, sentence, [("Allow", "POST")])
      case .authorization: problem(401, sentence, [("WWW-Authenticate", "vapid")])
      case .audience, .expiry, .subject, .key: problem(403, sentence)
      case .encoding: problem(415, sentence, [("Accept-Encoding", "aes128gcm")])
      case .length: problem(push.request.body.isEmpty ? 400 : 413, sentence)
      case .framing, .ttl, .urgency, .topic, .record: problem(400, sentence)
      }
    },
    conditions: [
      .init("gone", "410: the subscription has ended") { _ in problem(410, "the subscription has ended") },
      .init("unknown", "404: there is no such subscription") { _ in
        problem(404, "there is no such subscription")
      },
      .init("throttled", "429 with Retry-After: 60") { _ in
        problem(429, "too many messages", [("Retry-After", "60")])
      },
      .init("overloaded", "503 with Retry-After: 60") { _ in
        problem(503, "come back later", [("Retry-After", "60")])
      },
      .init("unsubscribed", "507: nobody listens at present") { _ in problem(507, "nobody listens") },
      .init("other-key", "403: the key is not the endpoint's") { _ in
        problem(403, "the VAPID key is not the one of the subscription")
      },
      .init("oversize", "413, whatever the length") { _ in problem(413, "the message is too long") },
      .init("moved", "307 to the same path, which must not be followed") { push in
        HTTPResponse(status: 307, headers: [("Location", "\(push.origin)\(push.request.target)")])
      },
      .init("slow", "201 after 3 s", delayMilliseconds: 3_000) { created($0) },
      .init("silent", "201 after 120 s", delayMilliseconds: 120_000) { created($0) },
    ])

  private static func created(_ push: ReceivedPush) -> HTTPResponse {
    HTTPResponse(
      status: 201,
      headers: [
        ("Location", "\(push.origin)/message/\(push.shownDigest)"),
        ("TTL", push.request.header("TTL") ?? "0"),
      ])
  }

  private static func problem(_ status: Int, _ detail: String, _ headers: [(String, String)] = [])
    -> HTTPResponse
  {
    .json(
      status, ["status": .integer(Int64(status)), "detail": .string(detail)],
      type: "application/problem+json", headers: headers)
  }
}
