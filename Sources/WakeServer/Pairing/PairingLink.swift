internal import FoundationEssentials

/// What a pairing code carries: `wake://pair?url=…&stack=…&key=…&code=…&expires=…`.
package struct PairingLink: Sendable {
  /// How the service is reached; no slash at the end.
  package let baseURL: String
  package let stack: String
  /// For the distributor: the stack's VAPID key.
  package let vapidPublicKey: String
  /// The pairing token.
  package let code: String
  /// Seconds since 1970.
  package let expires: Int64

  package init(baseURL: String, stack: String, vapidPublicKey: String, code: String, expires: Int64) {
    self.baseURL = baseURL
    self.stack = stack
    self.vapidPublicKey = vapidPublicKey
    self.code = code
    self.expires = expires
  }

  /// Reads a link back; nil for anything else. Members that are not known are passed over.
  package init?(_ uri: String) {
    guard let components = URLComponents(string: uri), components.scheme == Self.scheme,
      components.host == Self.host
    else { return nil }
    var members: [String: String] = [:]
    for item in components.queryItems ?? [] { members[item.name] = item.value }
    guard let url = members["url"], let stack = members["stack"], let key = members["key"],
      let code = members["code"], let expires = members["expires"].flatMap({ Int64($0) })
    else { return nil }
    self.init(baseURL: url, stack: stack, vapidPublicKey: key, code: code, expires: expires)
  }

  /// The link as text.
  package var uri: String {
    var components = URLComponents()
    components.scheme = Self.scheme
    components.host = Self.host
    components.queryItems = [
      URLQueryItem(name: "url", value: baseURL), URLQueryItem(name: "stack", value: stack),
      URLQueryItem(name: "key", value: vapidPublicKey), URLQueryItem(name: "code", value: code),
      URLQueryItem(name: "expires", value: "\(expires)"),
    ]
    return components.string ?? ""
  }

  private static let scheme = "wake"
  private static let host = "pair"
}
