package import CryptoPrimitives

/// The identity of a stack: `[A-Za-z0-9_-]{8,64}`. It is not a secret, and it survives everything.
package struct StackID: Sendable, Hashable, CustomStringConvertible {
  /// The characters, as given or minted.
  package let text: String

  /// Nil where `text` is not 8 to 64 of `[A-Za-z0-9_-]`.
  package init?(_ text: String) {
    let isWordCharacter = { (octet: UInt8) in
      (0x61...0x7A).contains(octet) || (0x41...0x5A).contains(octet) || (0x30...0x39).contains(octet)
        || octet == 0x5F || octet == 0x2D
    }
    guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy(isWordCharacter) else { return nil }
    self.text = text
  }

  private init(minted text: String) {
    self.text = text
  }

  /// An id of 128 random bits as 26 characters of `[a-z2-7]`.
  package static func minted(_ random: RandomOctets) -> StackID {
    StackID(minted: Base32.encode(random(16)))
  }

  /// The id itself.
  package var description: String { text }
}
