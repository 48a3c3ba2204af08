/// A block that no push server on the internet answers from.
struct SpecialPurposeBlock: Sendable {
  let block: AddressBlock
  /// What the registry calls it.
  let name: String
  /// Where that is said.
  let source: String

  fileprivate init(_ text: String, _ name: String, _ source: String) {
    let parts = text.split(separator: "/")
    guard let first = parts.first.flatMap({ IPAddress(parsing: String($0)) }),
      let length = parts.last.flatMap({ Int($0) }),
      let block = AddressBlock(containing: first, prefixLength: length)
    else { preconditionFailure("\(text) in the table of special-purpose addresses is not a block") }
    self.block = block
    self.name = name
    self.source = source
  }
}

/// The special-purpose address registries of IANA as a table, and what else is not a public unicast address.
///
/// Blocks that the registries call globally reachable are here as well where they are no place for a push
/// server: protocol assignments, anycast sinks, and every form of IPv6 that carries an IPv4 address, which
/// would reach a private one by another name.
enum SpecialPurposeAddresses {
  /// <https://www.iana.org/assignments/iana-ipv4-special-registry>
  static let ipv4 = [
    SpecialPurposeBlock("0.0.0.0/8", "this network", "RFC 791 §3.2"),
    SpecialPurposeBlock("10.0.0.0/8", "private use", "RFC 1918"),
    SpecialPurposeBlock("100.64.0.0/10", "shared address space", "RFC 6598"),
    SpecialPurposeBlock("127.0.0.0/8", "loopback", "RFC 1122 §3.2.1.3"),
    SpecialPurposeBlock("169.254.0.0/16", "link-local", "RFC 3927"),
    SpecialPurposeBlock("172.16.0.0/12", "private use", "RFC 1918"),
    // With 192.0.0.9 (RFC 7723) and 192.0.0.10 (RFC 8155), anycast of protocols that are not HTTP.
    SpecialPurposeBlock("192.0.0.0/24", "IETF protocol assignments", "RFC 6890 §2.1"),
    SpecialPurposeBlock("192.0.2.0/24", "documentation", "RFC 5737"),
    SpecialPurposeBlock("192.31.196.0/24", "AS112", "RFC 7535"),
    SpecialPurposeBlock("192.52.193.0/24", "AMT", "RFC 7450"),
    SpecialPurposeBlock("192.88.99.0/24", "6to4 relay anycast (deprecated)", "RFC 7526"),
    SpecialPurposeBlock("192.168.0.0/16", "private use", "RFC 1918"),
    SpecialPurposeBlock("192.175.48.0/24", "AS112 direct delegation", "RFC 7534"),
    SpecialPurposeBlock("198.18.0.0/15", "benchmarking", "RFC 2544"),
    SpecialPurposeBlock("198.51.100.0/24", "documentation", "RFC 5737"),
    SpecialPurposeBlock("203.0.113.0/24", "documentation", "RFC 5737"),
    // <https://www.iana.org/assignments/multicast-addresses>
    SpecialPurposeBlock("224.0.0.0/4", "multicast", "RFC 5771"),
    // With 255.255.255.255, limited broadcast (RFC 919 §7).
    SpecialPurposeBlock("240.0.0.0/4", "reserved", "RFC 1112 §4"),
    // In no registry: the address at which a cloud's host answers its guests, metadata included.
    SpecialPurposeBlock(
      "168.63.129.16/32", "platform services of a cloud", "Azure, IP address 168.63.129.16"),
  ]

  /// The only part of IPv6 that global unicast addresses are given out of (RFC 4291 §2.4, IANA's
  /// ipv6-address-space): what is outside is loopback, mapped, unique-local, link-local, multicast or nobody's.
  static let globalUnicastIPv6 = SpecialPurposeBlock("2000::/3", "global unicast", "RFC 4291 §2.4")

  /// <https://www.iana.org/assignments/iana-ipv6-special-registry>
  static let ipv6 = [
    SpecialPurposeBlock("::/128", "unspecified", "RFC 4291 §2.5.2"),
    SpecialPurposeBlock("::1/128", "loopback", "RFC 4291 §2.5.3"),
    SpecialPurposeBlock("::ffff:0:0/96", "IPv4-mapped", "RFC 4291 §2.5.5.2"),
    // Deprecated, but a stack may still know it.
    SpecialPurposeBlock("::/96", "IPv4-compatible", "RFC 4291 §2.5.5.1"),
    SpecialPurposeBlock("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765 §2.1"),
    SpecialPurposeBlock("64:ff9b::/96", "NAT64, which carries an IPv4 address", "RFC 6052"),
    SpecialPurposeBlock("64:ff9b:1::/48", "NAT64 for local use", "RFC 8215"),
    SpecialPurposeBlock("100::/64", "discard-only", "RFC 6666"),
    SpecialPurposeBlock("100:0:0:1::/64", "dummy prefix", "RFC 9780"),
    // With Teredo (RFC 4380), benchmarking (RFC 5180), AMT (RFC 7450), ORCHID (RFC 4843, RFC 7343),
    // drone identifiers (RFC 9374) and the anycast addresses in 2001:1::/32.
    SpecialPurposeBlock("2001::/23", "IETF protocol assignments", "RFC 2928"),
    SpecialPurposeBlock("2001:db8::/32", "documentation", "RFC 3849"),
    SpecialPurposeBlock("2002::/16", "6to4, which carries an IPv4 address", "RFC 3056"),
    SpecialPurposeBlock("2620:4f:8000::/48", "AS112 direct delegation", "RFC 7534"),
    SpecialPurposeBlock("3fff::/20", "documentation", "RFC 9637"),
    SpecialPurposeBlock("5f00::/16", "segment routing", "RFC 9602"),
    SpecialPurposeBlock("fc00::/7", "unique-local", "RFC 4193"),
    SpecialPurposeBlock("fe80::/10", "link-local", "RFC 4291 §2.5.6"),
    SpecialPurposeBlock("fec0::/10", "site-local (deprecated)", "RFC 3879"),
    // <https://www.iana.org/assignments/ipv6-multicast-addresses>
    SpecialPurposeBlock("ff00::/8", "multicast", "RFC 4291 §2.7"),
  ]

  /// Why `address` is not a public unicast one, as words that name no address; nil where it is.
  static func denial(of address: IPAddress) -> String? {
    let table = address.isIPv6 ? ipv6 : ipv4
    if let found = table.first(where: { $0.block.contains(address) }) {
      return "\(found.name), \(found.source)"
    }
    if address.isIPv6, !globalUnicastIPv6.block.contains(address) {
      return "outside the global unicast space, \(globalUnicastIPv6.source)"
    }
    return nil
  }
}
