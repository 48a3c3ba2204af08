/// What a strict push server finds wrong with a request: which part, and what.
package struct PushFault: Sendable, Equatable {
  /// What is looked at, under the name by which lines and answers speak of it.
  package enum Part: String, Sendable, CaseIterable {
    case framing, method, authorization, audience, expiry, subject, key, ttl, urgency, topic, encoding,
      length, record
  }

  package let part: Part
  /// What is wrong: half a sentence that holds no path, key or token.
  package let detail: String
}
