/// The URL that messages are posted to (RFC 8030 §5). It is a capability: whoever knows it may post. It is made by
/// the address policy, which has read and judged the text.
public struct Endpoint: Sendable, Hashable {
  /// The URL, byte for byte as it was registered. A secret.
  public let url: String
  /// `https://host` or `https://host:port`: lower case, no default port (RFC 6454 §6.2). The `aud` of a token
  /// (RFC 8292 §2), and all that may be shown.
  public let origin: String

  /// Takes a URL that was parsed and permitted, and its origin.
  package init(validatedURL url: String, origin: String) {
    self.url = url
    self.origin = origin
  }
}

extension Endpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The origin and an ellipsis in place of path and query.
  public var description: String { "\(origin)/…" }
  /// The same.
  public var debugDescription: String { description }
  /// Shows the origin alone to `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
