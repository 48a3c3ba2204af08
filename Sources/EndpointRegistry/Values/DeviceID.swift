package import CryptoPrimitives

/// The identity of one registration: 26 characters of `[a-z2-7]`. It is not a secret.
package struct DeviceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The 26 characters.
  package let text: String

  /// Nil where `text` is not 26 characters of `[a-z2-7]`.
  package init?(_ text: String) {
    guard Base32.isText(text, count: 26) else { return nil }
    self.text = text
  }

  private init(minted text: String) {
    self.text = text
  }

  /// An id of 128 random bits.
  package static func minted(_ random: RandomOctets) -> DeviceID {
    DeviceID(minted: Base32.encode(random(16)))
  }

  /// An id of the time, 48 bits of milliseconds, and 80 random bits: ids that are made one after the other stand side
  /// by side in an index, so that a million of them are added quickly. What it gives away is told as `since` too.
  static func minted(_ random: RandomOctets, at milliseconds: Int64) -> DeviceID {
    let time = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) }
    return DeviceID(minted: Base32.encode(time + random(10)))
  }

  /// The order of the pages that lists are read in: octet by octet.
  package static func < (left: DeviceID, right: DeviceID) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// The id itself.
  package var description: String { text }
}
