/// A block of addresses: those that share a prefix (RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressBlock: Sendable, Hashable {
  /// The first address.
  package let first: IPAddress
  /// How many of its bits every address of the block has, 0…32 or 0…128.
  package let prefixLength: Int

  /// The block of `prefixLength` bits that `address` is in; nil for a length that its family does not have.
  package init?(containing address: IPAddress, prefixLength: Int) {
    guard (0...address.bitWidth).contains(prefixLength) else { return nil }
    let (high, low) = Self.mask(prefixLength, isIPv6: address.isIPv6)
    first = IPAddress(isIPv6: address.isIPv6, high: address.high & high, low: address.low & low)
    self.prefixLength = prefixLength
  }

  /// Whether `address` is one of the block; never across families.
  package func contains(_ address: IPAddress) -> Bool {
    guard address.isIPv6 == first.isIPv6 else { return false }
    let (high, low) = Self.mask(prefixLength, isIPv6: first.isIPv6)
    return address.high & high == first.high && address.low & low == first.low
  }

  private static func mask(_ length: Int, isIPv6: Bool) -> (high: UInt64, low: UInt64) {
    // Swift's << yields 0 where all bits leave.
    guard isIPv6 else { return (0, (UInt64(UInt32.max) << (32 - length)) & UInt64(UInt32.max)) }
    return length <= 64
      ? (UInt64.max << (64 - length), 0) : (UInt64.max, UInt64.max << (128 - length))
  }
}

extension AddressBlock: CustomStringConvertible {
  /// `192.0.2.0/24`.
  package var description: String { "\(first)/\(prefixLength)" }
}
