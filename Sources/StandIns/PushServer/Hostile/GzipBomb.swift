/// A body that is small on the wire and large in memory (RFC 1951, RFC 1952).
enum GzipBomb {
  /// Octets on the wire: 1 MiB, 16 times what a sender may read.
  static let length = 1_048_576

  /// The beginning of a stream of zeros: one literal, then copies of 258 octets from 1 octet back, each of which takes 13
  /// bits in the fixed code: 1 octet becomes 158. It is cut off before its end, so that it needs no checksum.
  static let octets: [UInt8] = {
    var octets: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    octets.reserveCapacity(length)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    // Huffman codes begin with their highest bit, everything else with its lowest.
    func put(_ value: UInt32, _ width: UInt32) {
      bits |= value << count
      count += width
      while count >= 8 {
        octets.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    put(0b010, 3)  // not the last block, fixed codes
    put(0b0000_1100, 8)  // the literal 0: 00110000, its highest bit first
    // The length 258: 11000101, highest bit first; the distance 1: 00000.
    while octets.count < length { put(0b0_0000_1010_0011, 13) }
    return Array(octets.prefix(length))
  }()
}
