package import CryptoPrimitives

/// What a companion chose at random for one installation: 22 base64url characters, 16 octets.
/// Whoever knows it and holds a pairing code can take the device over, so that its description says nothing.
package struct ClientID: Sendable, Hashable, Redacted {
  /// The 22 characters.
  package let text: String

  /// Nil where `text` is not the canonical base64url of 16 octets (unpadded, no stray bits).
  package init?(_ text: String) {
    guard text.utf8.count == 22, Base64URL.decode(text)?.count == 16 else { return nil }
    self.text = text
  }

  private init(minted text: String) {
    self.text = text
  }

  /// A fresh one, for a companion of our own.
  package static func minted(_ random: RandomOctets) -> ClientID {
    ClientID(minted: Base64URL.encode(random(16)))
  }
}
