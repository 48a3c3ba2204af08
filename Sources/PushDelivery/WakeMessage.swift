package import WebPushCrypto

/// One wake, ready to be sent: whom to, and every octet of it.
package struct WakeMessage: Sendable {
  /// Where it goes.
  package var endpoint: Endpoint
  /// The topic of the endpoint.
  package var topic: Topic
  /// How long a push server may keep it, 0 or more (RFC 8030 §5.2).
  package var ttlSeconds: Int
  /// `vapid t=…, k=…` for the endpoint's origin. A secret.
  package var authorization: String
  /// The encrypted body.
  package var body: [UInt8]
  /// A keyed digest that stands for the endpoint, where a pause is remembered.
  package var endpointDigest: [UInt8]
  /// Refusals of this endpoint in a row that named no pause.
  package var refusals: Int
  /// Whether somebody waits for the answer: it goes before others to the same origin.
  package var isUrgent: Bool
  /// How old its subscription is; nil where nothing is to be remembered of an endpoint that is gone.
  package var moments: SubscriptionMoments?

  /// A wake of these parts.
  package init(
    endpoint: Endpoint, topic: Topic, ttlSeconds: Int, authorization: String, body: [UInt8],
    endpointDigest: [UInt8], refusals: Int = 0, isUrgent: Bool = false, moments: SubscriptionMoments? = nil
  ) {
    self.endpoint = endpoint
    self.topic = topic
    self.ttlSeconds = ttlSeconds
    self.authorization = authorization
    self.body = body
    self.endpointDigest = endpointDigest
    self.refusals = refusals
    self.isUrgent = isUrgent
    self.moments = moments
  }

  /// The name of the field that differs from one wake to the next.
  static let topicField = "Topic"

  /// The header fields of every wake, in this order; `Host` goes before them and `Content-Length` after.
  ///
  /// They are the same for every kind of alert: neither their number nor their order tells one from another.
  package var headerFields: [(name: String, value: String)] {
    [
      ("TTL", String(ttlSeconds)),  // RFC 8030 §5.2
      ("Urgency", "high"),  // RFC 8030 §5.3
      (Self.topicField, topic.text),  // RFC 8030 §5.4
      ("Content-Encoding", "aes128gcm"),  // RFC 8188 §2
      ("Content-Type", "application/octet-stream"),
      ("Authorization", authorization),  // RFC 8292 §3
    ]
  }
}

extension WakeMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The origin alone.
  package var description: String { "WakeMessage(\(endpoint.origin))" }
  /// The same.
  package var debugDescription: String { description }
  /// Shows nothing to `dump`.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
