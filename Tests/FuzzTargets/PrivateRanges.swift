import PushDelivery

/// The blocks of addresses that matter most, judged by their octets, without what the address policy knows.
enum PrivateRanges {
  /// Whether `address` is one of this machine, of a network at home, or mapped to such a one.
  static func contain(_ address: IPAddress) -> Bool {
    let octets = address.octets
    guard octets.count == 16 else { return containIPv4(octets) }
    let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    if octets.starts(with: mappedPrefix) { return containIPv4(Array(octets[12...])) }
    if octets.dropLast().allSatisfy({ $0 == 0 }) { return octets[15] <= 1 }
    // Unique local (fc00::/7), link local (fe80::/10), multicast (ff00::/8).
    return octets[0] & 0xfe == 0xfc || octets[0] == 0xfe && octets[1] & 0xc0 == 0x80 || octets[0] == 0xff
  }

  private static func containIPv4(_ octets: [UInt8]) -> Bool {
    switch (octets[0], octets[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): true
    case (100, 64..<128), (172, 16..<32): true
    default: false
    }
  }
}
