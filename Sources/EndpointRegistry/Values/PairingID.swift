/// The name of a pairing code: 26 characters of `[a-z2-7]`, from the first half of the code's digest. Whoever knows the
/// code can tell its name, and nobody the code from its name.
package struct PairingID: Sendable, Hashable, CustomStringConvertible {
  /// The 26 characters.
  package let text: String

  /// Nil where `text` is not 26 characters of `[a-z2-7]`.
  package init?(_ text: String) {
    guard Base32.isText(text, count: 26) else { return nil }
    self.text = text
  }

  /// The name of this code.
  package init(of code: Token) { self.init(digest: code.digest) }

  /// The name of the code with this digest.
  init(digest: [UInt8]) { text = Base32.encode(Array(digest.prefix(Self.octets))) }

  /// 128 bits: nobody makes two codes of one name.
  private static let octets = 16

  /// The name itself.
  package var description: String { text }
}
