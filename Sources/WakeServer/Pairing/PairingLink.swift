internal import CryptoPrimitives
internal import EndpointRegistry
internal import FoundationEssentials

/// What a pairing code carries: `wake://pair?url=…&stack=…&key=…&fingerprint=…&code=…&expires=…`.
package struct PairingLink: Sendable, Equatable {
  /// How the service is reached; no slash at the end.
  package let baseURL: String
  package let stack: String
  /// For the distributor: the stack's VAPID key.
  package let vapidPublicKey: String
  /// SHA-256 over the one certificate to accept, 64 lower-case hexadecimal digits; nil where any that the phone trusts
  /// will do.
  package let fingerprint: String?
  /// The pairing token.
  package let code: String
  /// Seconds since 1970.
  package let expires: Int64

  package init(
    baseURL: String, stack: String, vapidPublicKey: String, fingerprint: String?, code: String, expires: Int64
  ) {
    self.baseURL = baseURL
    self.stack = stack
    self.vapidPublicKey = vapidPublicKey
    self.fingerprint = fingerprint
    self.code = code
    self.expires = expires
  }

  /// Reads a link back; nil where anything but the fingerprint is missing, anything stands there twice, or anything is
  /// not of its form. A fingerprint that cannot be read is refused, never passed over: without it the phone would
  /// trust whoever answers. Members that are not known are passed over.
  package init?(_ uri: String) {
    guard let components = URLComponents(string: uri), components.scheme?.lowercased() == Self.scheme,
      components.host?.lowercased() == Self.host
    else { return nil }
    let items = components.queryItems ?? []
    func member(_ name: String) -> String? {
      let found = items.filter { $0.name == name }
      return found.count == 1 ? found[0].value : nil
    }
    guard let url = member("url").flatMap(Self.baseURL), let stack = member("stack").flatMap(StackID.init),
      let key = member("key"), Self.isVAPIDKey(key),
      let code = member("code").flatMap(Token.init), code.tokenClass == .pairing,
      let expires = member("expires").flatMap(Self.seconds)
    else { return nil }
    let fingerprint = member("fingerprint")
    guard fingerprint.map(Self.isFingerprint) ?? !items.contains(where: { $0.name == "fingerprint" }) else {
      return nil
    }
    self.init(
      baseURL: url, stack: stack.text, vapidPublicKey: key, fingerprint: fingerprint, code: code.text,
      expires: expires)
  }

  /// The link as text.
  package var uri: String {
    var components = URLComponents()
    components.scheme = Self.scheme
    components.host = Self.host
    components.queryItems =
      [
        URLQueryItem(name: "url", value: baseURL), URLQueryItem(name: "stack", value: stack),
        URLQueryItem(name: "key", value: vapidPublicKey),
      ] + (fingerprint.map { [URLQueryItem(name: "fingerprint", value: $0)] } ?? []) + [
        URLQueryItem(name: "code", value: code), URLQueryItem(name: "expires", value: "\(expires)"),
      ]
    // A plus sign is itself in a URI, and a space to who reads the query as a form.
    return (components.string ?? "").replacing("+", with: "%2B")
  }

  /// The address of a service as it stands in a link, without a slash at the end; nil where a companion could do nothing
  /// with it: a scheme other than https and http, no host, a user, a query or a fragment.
  package static func baseURL(_ text: String) -> String? {
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let components = URLComponents(string: url),
      ["https", "http"].contains(components.scheme?.lowercased()), !(components.host ?? "").isEmpty,
      components.user == nil, components.query == nil, components.fragment == nil
    else { return nil }
    return url
  }

  private static func isVAPIDKey(_ text: String) -> Bool {
    guard let octets = Base64URL.decode(text) else { return false }
    return (try? P256PublicKey(uncompressed: octets)) != nil
  }

  private static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64 && Hex.decode(text) != nil && text == text.lowercased()
  }

  private static func seconds(_ text: String) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }

  private static let scheme = "wake"
  private static let host = "pair"
}
