internal import HTTPListener

/// One thing that a strict push server asks of a request. Each stands for itself: none relies on another.
package struct PushCheck: Sendable {
  package let part: PushFault.Part
  /// What is wrong, or nil.
  let detail: @Sendable (ReceivedPush) -> String?

  init(_ part: PushFault.Part, _ detail: @escaping @Sendable (ReceivedPush) -> String?) {
    self.part = part
    self.detail = detail
  }

  /// All of them, in the order in which a push server meets them. The key that an endpoint is bound to is the rules'
  /// own to know (``PushKeyBook``), and faulty framing is found by who reads from the network.
  package static let all = [
    method, authorization, audience, expiry, subject, ttl, urgency, topic, encoding, length, record,
  ]

  /// What is wrong with a request, in that order; nothing if it is in order.
  package static func faults(of push: ReceivedPush) -> [PushFault] {
    all.compactMap { check in check.detail(push).map { PushFault(part: check.part, detail: $0) } }
  }

  /// A message is created by POST (RFC 8030 §5).
  static let method = PushCheck(.method) { push in
    push.request.method == "POST" ? nil : "is not POST"
  }
}
