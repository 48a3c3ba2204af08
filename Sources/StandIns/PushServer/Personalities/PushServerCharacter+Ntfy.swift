internal import CryptoPrimitives
internal import HTTPListener
internal import StrictJSON

extension PushServerCharacter {
  /// ntfy: a topic is made by publishing to it, so that there is none that is unknown or gone; TTL, Urgency, Topic and
  /// VAPID are not looked at.
  static let ntfy = PushServerCharacter(
    accepting: { .json(200, echo($0)) },
    refusing: { fault, _ in fault.part == .method ? error(405, 40_501, "method not allowed") : nil },
    conditions: [
      .init("rate-limited", "429, code 42901, without Retry-After") { _ in
        error(429, 42_901, "limit reached: too many requests")
      },
      // What ntfy grants a visitor unless it is set up otherwise.
      .init(
        "limited", "the same after 60 messages, and then but for one every 5 s",
        beyond: PushAllowance(60, secondsEach: 5)
      ) { _ in error(429, 42_901, "limit reached: too many requests") },
      .init("day-limit", "429, code 42908, without Retry-After") { _ in
        error(429, 42_908, "limit reached: no more messages today")
      },
      .init("unsubscribed", "507, code 50701: nobody has listened lately") { _ in
        error(507, 50_701, "nobody has subscribed to this UnifiedPush topic lately")
      },
      .init("read-only", "403, code 40301: the topic may not be written") { _ in
        error(403, 40_301, "forbidden")
      },
    ])

  /// Octets that it keeps of a message; what is beyond is cut without a word.
  private static let messageMaximum = 4_096

  private static func echo(_ push: ReceivedPush) -> JSONValue {
    let body = Array(push.request.body.prefix(messageMaximum))
    let topic = push.request.path.split(separator: "/").last.map(String.init) ?? ""
    var message: JSONObject = [
      "id": .string(push.shownDigest), "time": .integer(push.nowSeconds), "event": "message",
      "topic": .string(topic),
    ]
    if body.isEmpty {
      message["message"] = "triggered"
    } else {
      message["message"] = .string(base64(body))
      message["encoding"] = "base64"
    }
    return .object(message)
  }

  /// Base64 with padding, which is what ntfy writes.
  private static func base64(_ octets: [UInt8]) -> String {
    let text = Base64URL.encode(octets).replacing("-", with: "+").replacing("_", with: "/")
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  private static func error(_ status: Int, _ code: Int64, _ sentence: String) -> HTTPResponse {
    .json(
      status, ["code": .integer(code), "http": .integer(Int64(status)), "error": .string(sentence)])
  }
}
