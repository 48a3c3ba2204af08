/// Where a user agent is reached, and how messages to it are encrypted (RFC 8030 §4, RFC 8291 §2).
public struct PushSubscription: Sendable, Hashable {
  /// Where to post.
  public var endpoint: Endpoint
  /// Whom to encrypt to.
  public var keys: UserAgentKeys

  /// Puts the two together.
  public init(endpoint: Endpoint, keys: UserAgentKeys) {
    self.endpoint = endpoint
    self.keys = keys
  }
}

extension PushSubscription: CustomStringConvertible, CustomDebugStringConvertible {
  /// The endpoint's origin alone.
  public var description: String { "PushSubscription(\(endpoint))" }
  /// The same.
  public var debugDescription: String { description }
}
