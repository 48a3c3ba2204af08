internal import CryptoPrimitives

/// Which kinds a stack raises, as eight characters (`mv`).
///
/// The first eight lower-case hexadecimal digits of SHA-256 over the kinds in list order, joined by LF. Equal
/// lists give equal versions on every server.
public struct CatalogueVersion: Hashable, Sendable, CustomStringConvertible {
  /// Eight characters of `[0-9a-f]`.
  public let text: String

  /// The version of a list; order and doubles of `kinds` do not matter.
  public init(_ kinds: some Sequence<Kind>) {
    let list = Kind.inListOrder(kinds).map(\.name).joined(separator: "\n")
    text = String(Hex.encode(SHA256.digest(Array(list.utf8))).prefix(Self.length))
  }

  /// The eight characters.
  public var description: String { text }

  /// Four of the digest's octets.
  private static let length = 8
}
