/// The `Topic` of a wake: a push server keeps only the newest undelivered message of a topic (RFC 8030 §5.4).
///
/// It stays the same for an endpoint and is derived with a secret, so that it tells a push server nothing
/// that the endpoint does not.
package struct Topic: Sendable, Hashable {
  /// RFC 8030 §5.4: at most 32 characters.
  package static let length = 32
  /// Letters and digits, which are base64url as RFC 8030 asks, and in no alphabet's way.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// 32 characters of `[A-Za-z0-9]`.
  package let text: String

  /// Writes the first 32 of `octets` with letters and digits. They are the output of an HMAC over the endpoint
  /// with a key of the store's own: fewer than 32 are a mistake of ours, and trap.
  package init(secret octets: [UInt8]) {
    precondition(octets.count >= Self.length, "a topic is made of \(Self.length) octets")
    // 256 is no multiple of 62; the first 8 letters are a little likelier, which costs nothing here.
    let characters = octets.prefix(Self.length).map { Self.alphabet[Int($0) % Self.alphabet.count] }
    text = String(decoding: characters, as: UTF8.self)
  }
}
