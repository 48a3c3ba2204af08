/// Whether a text may be the `aud` of a token: an origin as RFC 6454 §6.2 writes it (RFC 8292 §2).
enum VAPIDAudience {
  /// `http` or `https`, `://`, a host in lower-case ASCII or an address in brackets, and a port only if it is not
  /// the scheme's own. No userinfo, no path, not even a slash.
  static func isOrigin(_ text: String) -> Bool {
    let (authority, defaultPort): (Substring, Int)
    if text.hasPrefix("https://") {
      (authority, defaultPort) = (text.dropFirst("https://".count), 443)
    } else if text.hasPrefix("http://") {
      (authority, defaultPort) = (text.dropFirst("http://".count), 80)
    } else {
      return false
    }
    let octets = Array(authority.utf8)
    let hostEnd: Int
    if octets.first == UInt8(ascii: "[") {
      guard let bracket = octets.firstIndex(of: UInt8(ascii: "]")), bracket > 1,
        octets[1..<bracket].allSatisfy(isAddressCharacter)
      else { return false }
      hostEnd = bracket + 1
    } else {
      hostEnd = octets.firstIndex(of: UInt8(ascii: ":")) ?? octets.count
      guard hostEnd > 0, octets[..<hostEnd].allSatisfy(isHostCharacter) else { return false }
    }
    return hostEnd == octets.count || isPort(octets[hostEnd...], butNot: defaultPort)
  }

  private static func isHostCharacter(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isAddressCharacter(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// A colon and 1 to 65535 without leading zeros.
  private static func isPort(_ octets: ArraySlice<UInt8>, butNot defaultPort: Int) -> Bool {
    let digits = octets.dropFirst()
    guard octets.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
      digits.first != UInt8(ascii: "0"),
      digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return false }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return port <= 65_535 && port != defaultPort
  }
}
