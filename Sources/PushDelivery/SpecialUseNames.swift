/// Names that never lead to a public push server, whatever a resolver says.
enum SpecialUseNames {
  /// The name and everything under it. <https://www.iana.org/assignments/special-use-domain-names>
  private static let domains = [
    "localhost",  // RFC 6761 §6.3; libcurl answers it from within, without any resolver
    "local",  // RFC 6762 §3, multicast DNS
    "home.arpa",  // RFC 8375
    "internal",  // reserved for private use by ICANN, 2024
    "onion",  // RFC 7686 §2: must not be asked of a resolver
  ]

  /// Whether `name` (lower case, no trailing dot) is a host of the local machine or network by its form alone:
  /// a single label, which resolves through hosts files and search lists, or of a domain for local use.
  static func isLocal(_ name: String) -> Bool {
    if !name.utf8.contains(UInt8(ascii: ".")) { return true }
    return domains.contains { name == $0 || name.hasSuffix("." + $0) }
  }

  /// Whether `name` is the local machine by definition (RFC 6761 §6.3).
  static func isLocalhost(_ name: String) -> Bool {
    name == "localhost" || name.hasSuffix(".localhost")
  }
}
