internal import HTTPListener
internal import WebPushCrypto

/// The checks of the token (RFC 8292).
extension PushCheck {
  /// One field `vapid t=…, k=…`, and `k` signed `t` by ES256 (§3).
  static let authorization = PushCheck(.authorization) { push in
    let count = push.request.values(of: "Authorization").count
    guard count == 1 else { return count == 0 ? "is missing" : "comes \(count) times" }
    switch failure(of: push) {
    case nil, .audience, .expiry, .subject: return nil
    case .tokenMalformed: return "t is not an ES256 token of three base64url parts"
    case .tokenKey: return "k is not a public key on P-256, 65 octets in base64url without padding"
    case .tokenSignature: return "k did not sign t"
    default: return "is not `vapid t=…, k=…`"
    }
  }

  /// `aud` is this server's origin (§2).
  static let audience = PushCheck(.audience) { push in
    if failure(of: push) == .audience { return "is no origin: lower case, no path, no default port" }
    guard let claims = push.claims else { return nil }
    return claims.audience == push.origin ? nil : "is \(claims.audience), and this is \(push.origin)"
  }

  /// `exp` is a whole number, ahead, and by no more than a day (§2).
  static let expiry = PushCheck(.expiry) { push in
    if failure(of: push) == .expiry { return "is not a whole number of seconds above zero" }
    guard let claims = push.claims else { return nil }
    if claims.expiresAt <= push.nowSeconds { return "has passed" }
    let isNear = claims.isAcceptable(audience: claims.audience, atSeconds: push.nowSeconds)
    return isNear ? nil : "is more than \(VAPIDClaims.lifetimeMaximumSeconds) s ahead"
  }

  /// `sub`, where there is one, is a contact (§2.1) that is not this or that machine's own.
  static let subject = PushCheck(.subject) { push in
    if failure(of: push) == .subject { return "is no string" }
    guard let subject = push.claims?.subject else { return nil }
    guard let host = host(ofContact: subject) else { return "is neither mailto: nor https:" }
    let isLocal = host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local")
    return isLocal ? "names localhost or a host under .local" : nil
  }

  /// The host of `mailto:name@host` or `https://host/…`, in lower case; nil for anything else.
  private static func host(ofContact contact: String) -> String? {
    let contact = contact.lowercased()
    let host: Substring
    if contact.hasPrefix("mailto:") {
      let address = contact.dropFirst("mailto:".count).prefix { $0 != "?" }
      guard let at = address.lastIndex(of: "@"), at > address.startIndex else { return nil }
      host = address[address.index(after: at)...]
    } else if contact.hasPrefix("https://") {
      host = contact.dropFirst("https://".count).prefix { !"/?#:".contains($0) }
    } else {
      return nil
    }
    return host.isEmpty ? nil : String(host)
  }

  private static func failure(of push: ReceivedPush) -> WebPushCryptoError? {
    if case .failure(let error) = push.authorization { error } else { nil }
  }
}
