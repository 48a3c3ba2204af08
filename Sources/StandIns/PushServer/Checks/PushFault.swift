/// What a strict push server finds wrong with a request: which part, and what.
package struct PushFault: Sendable, Equatable {
  /// What is looked at, under the name by which lines and answers speak of it.
  package enum Part: String, Sendable, CaseIterable {
    case method, authorization, audience, expiry, subject, key, ttl, urgency, topic, encoding, length, record

    /// Whether it belongs to the token of RFC 8292.
    package var isOfVAPID: Bool {
      switch self {
      case .authorization, .audience, .expiry, .subject, .key: true
      default: false
      }
    }
  }

  package let part: Part
  /// What is wrong: half a sentence that holds no path, key or token.
  package let detail: String
}
