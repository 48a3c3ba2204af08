package import HTTPListener
package import PushDelivery

/// The proxies whose word on who calls is believed: `WAKE_TRUSTED_PROXIES`.
///
/// Whoever connects can write any header field. So it is read only where the connection comes from one of these, and
/// only as far as each address in turn is one of these as well.
package struct TrustedProxies: Sendable, Equatable {
  /// Blocks of addresses, an address alone being a block of its own.
  private let blocks: [AddressBlock]
  /// Whether a connection through the public listener's Unix socket is one of a proxy.
  private let trustsUnix: Bool

  /// Nobody is believed.
  package init() { (blocks, trustsUnix) = ([], false) }

  /// Whether nobody is believed.
  package var isEmpty: Bool { blocks.isEmpty && !trustsUnix }

  /// Reads addresses, blocks of them, and the word `unix`, by commas.
  init(parsing text: String) throws(ConfigurationError) {
    var blocks: [AddressBlock] = []
    var trustsUnix = false
    for entry in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
      if entry == "unix" {
        trustsUnix = true
      } else if let block = Self.block(String(entry)) {
        blocks.append(block)
      } else {
        throw ConfigurationError(
          .trustedProxies,
          "must be addresses, blocks like 10.0.0.0/8 without bits behind the prefix, or the word unix")
      }
    }
    (self.blocks, self.trustsUnix) = (blocks, trustsUnix)
  }

  /// Whether the other end of a connection is believed; nil for one through a Unix socket.
  package func trusts(_ peer: IPAddress?) -> Bool {
    guard let peer = peer?.unmapped else { return trustsUnix }
    return blocks.contains { $0.contains(peer) }
  }

  /// The address of who sent a request; nil where it came through a Unix socket and nothing more is known.
  package func client(of request: HTTPRequest) -> IPAddress? {
    client(
      peer: request.peer.flatMap(IPAddress.init(parsing:)), forwarded: request.values(of: "Forwarded"),
      forwardedFor: request.values(of: "X-Forwarded-For"))
  }

  /// The same from the parts of a request: walks from the nearest hop to the farthest, and stops at the first that is not
  /// believed, or in front of one that is malformed or hidden.
  package func client(peer: IPAddress?, forwarded: [String], forwardedFor: [String]) -> IPAddress? {
    let peer = peer?.unmapped
    guard trusts(peer) else { return peer }
    let (old, new) = (
      ForwardedField.hopsFromTheRight(xForwardedFor: forwardedFor),
      ForwardedField.hopsFromTheRight(forwarded: forwarded)
    )
    guard !old.isEmpty, !new.isEmpty else { return walk(from: peer, old + new) }
    // A proxy writes one of the two and lets the other pass as the client sent it. Which one cannot be known: where they
    // do not say the same, neither is believed.
    let (one, other) = (walk(from: peer, old), walk(from: peer, new))
    return one == other ? one : peer
  }

  private func walk(from peer: IPAddress?, _ hops: [IPAddress?]) -> IPAddress? {
    var known = peer
    for hop in hops {
      guard let hop else { return known }
      known = hop.unmapped
      guard trusts(known) else { return known }
    }
    return known
  }

  private static func block(_ text: String) -> AddressBlock? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parsing: String(parts[0])) else { return nil }
    let bits = address.octets.count * 8
    guard parts.count == 2 else {
      return AddressBlock(containing: address.unmapped, prefixLength: address.unmapped.octets.count * 8)
    }
    guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(parts[1]), length <= bits
    else { return nil }
    // A mapped block of IPv4 is that block; one that is wider reaches beyond IPv4 and stays as it is.
    let isMapped = address.unmapped != address && length >= 96
    let block =
      isMapped
      ? AddressBlock(containing: address.unmapped, prefixLength: length - 96)
      : AddressBlock(containing: address, prefixLength: length)
    return block?.first == (isMapped ? address.unmapped : address) ? block : nil
  }
}

extension IPAddress {
  /// The IPv4 address where this is one in the form of IPv6 (RFC 4291 §2.5.5.2).
  var unmapped: IPAddress {
    let octets = octets
    guard octets.count == 16, octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xff,
      octets[11] == 0xff
    else { return self }
    return IPAddress(octets: Array(octets.suffix(4))) ?? self
  }
}
