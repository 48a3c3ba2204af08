package import CryptoPrimitives

/// A bearer token: a prefix that names its class, and 43 base64url characters of 256 random bits.
/// The store keeps its SHA-256 alone.
package struct Token: Sendable, Redacted {
  /// What a token is for; the raw value is its prefix.
  package enum Class: String, Sendable, CaseIterable {
    case hook = "wkh_"
    case pairing = "wkp_"
    case device = "wkd_"
    case admin = "wka_"
  }

  /// What it is for.
  package let tokenClass: Class
  /// The whole token. It is a secret: it goes to its owner once, and nowhere else.
  package let text: String

  /// Nil where `text` is not a known prefix and the canonical base64url of 32 octets.
  package init?(_ text: String) {
    guard text.utf8.count == Token.length, let tokenClass = Class(rawValue: String(text.prefix(4))),
      Base64URL.decode(String(text.dropFirst(4)))?.count == 32
    else { return nil }
    self.tokenClass = tokenClass
    self.text = text
  }

  private init(_ tokenClass: Class, secret: [UInt8]) {
    self.tokenClass = tokenClass
    text = tokenClass.rawValue + Base64URL.encode(secret)
  }

  /// A prefix of four and ceil(32 · 8 / 6) characters.
  package static let length = 4 + 43

  /// A fresh token of `tokenClass`.
  package static func minted(_ tokenClass: Class, random: RandomOctets) -> Token {
    Token(tokenClass, secret: random(32))
  }

  /// SHA-256 over the whole text, prefix included: what the store knows of it.
  ///
  /// Tokens are compared as digests alone, by an index of the store. That takes longer the more leading octets of a digest
  /// are alike, which tells a guesser nothing: to choose a digest's octets they would have to invert SHA-256, and the
  /// octets of one digest say nothing of the 256 random bits behind it, or of a token with a closer digest.
  package var digest: [UInt8] { SHA256.digest(Array(text.utf8)) }
}
