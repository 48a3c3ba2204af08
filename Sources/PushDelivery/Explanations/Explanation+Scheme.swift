extension Explanation {
  /// What stands at the origin does not speak TLS, or none that both sides know.
  static func noTLS(_ origin: String?) -> Explanation {
    let other = origin.otherScheme ?? "http and the port that it has"
    return Explanation(
      "No TLS could be agreed with \(origin.named).",
      fix:
        "See that the port is one with TLS 1.2 or 1.3. If the push server has no TLS there, set its public URL to \(other) (base-url in ntfy's server.yml), add that to \(PushAllowList.variable), restart, and have the app register again."
    )
  }

  /// What a server says that has TLS at a port where it was spoken to without; nil for other words.
  static func spokenPlainly(_ words: String, status: Int, _ origin: String?) -> Explanation? {
    guard status == 400, complaints.contains(where: words.contains) else { return nil }
    let other = origin.otherScheme ?? "https and the port that it has"
    return Explanation(
      "\(origin.named.beginning) has TLS at that port, and was spoken to without.",
      fix:
        "Set the push server's public URL to \(other) (base-url in ntfy's server.yml), then have the app register again."
    )
  }

  /// Of nginx, of programs in Go (ntfy is one), and of Apache.
  private static let complaints = [
    "plain HTTP request was sent to HTTPS port", "sent an HTTP request to an HTTPS server",
    "speaking plain HTTP to an SSL-enabled server port",
  ]
}

extension Optional where Wrapped == String {
  /// The same place by the other scheme, always with its port; nil where there is no origin.
  var otherScheme: String? {
    guard let origin = self else { return nil }
    let isPlain = origin.hasPrefix("http://")
    return (isPlain ? "https://" : "http://") + origin.authority(port: isPlain ? 80 : 443)
  }

  /// The beginning of a fix where an origin without TLS may have it after all; nil for any other.
  var withTLS: String? {
    guard let origin = self, origin.hasPrefix("http://"), let other = otherScheme else { return nil }
    return
      "If it has TLS at that port, set its public URL to \(other) (base-url in ntfy's server.yml), then have the app register again. Otherwise see"
  }
}

extension String {
  /// `HOST:PORT` of an origin, with `port` where it names none.
  func authority(port: Int) -> String {
    let authority = firstRange(of: "://").map { self[$0.upperBound...] } ?? self[...]
    // An IPv6 address stands in brackets, and has colons of its own.
    let behindAddress = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
    return behindAddress.contains(":") ? String(authority) : "\(authority):\(port)"
  }
}
