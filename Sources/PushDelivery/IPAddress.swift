/// An IPv4 or IPv6 address as a number, without port or zone.
package struct IPAddress: Sendable, Hashable {
  /// Whether it is one of IPv6; an IPv4 address is never the same as its mapped form.
  package let isIPv6: Bool
  /// The upper 64 bits; 0 for IPv4.
  let high: UInt64
  /// The lower 64 bits; the 32 bits of an IPv4 address.
  let low: UInt64

  init(isIPv6: Bool, high: UInt64, low: UInt64) {
    self.isIPv6 = isIPv6
    self.high = high
    self.low = low
  }

  /// The address of 4 or 16 octets in network order; nil for any other count.
  package init?(octets: [UInt8]) {
    func number(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
    switch octets.count {
    case 4: self.init(isIPv6: false, high: 0, low: number(octets[...]))
    case 16: self.init(isIPv6: true, high: number(octets[..<8]), low: number(octets[8...]))
    default: return nil
    }
  }

  /// The 4 or 16 octets in network order.
  package var octets: [UInt8] {
    func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return isIPv6 ? octets(high, 8) + octets(low, 8) : octets(low, 4)
  }

  /// The number of bits: 32 or 128.
  var bitWidth: Int { isIPv6 ? 128 : 32 }
}

extension IPAddress: CustomStringConvertible {
  /// The canonical text: dotted decimal, or RFC 5952 without brackets.
  package var description: String { canonicalText }

  /// The text as it stands in a URL: an IPv6 address in brackets (RFC 3986 §3.2.2).
  var urlText: String { isIPv6 ? "[\(canonicalText)]" : canonicalText }
}
