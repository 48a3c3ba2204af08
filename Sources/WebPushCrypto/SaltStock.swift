internal import CryptoPrimitives

/// Fresh salts for messages (RFC 8188 §2.1). A salt goes out in the clear, so that many may be drawn at once, which
/// costs the generator hardly more than one; nothing secret is ever drawn ahead.
struct SaltStock: ~Copyable {
  /// Salts that are drawn at once.
  private static let drawn = 64

  private var octets: [UInt8] = []

  /// 16 octets that nobody had before.
  mutating func next() -> [UInt8] {
    let length = EncryptedContentHeader.saltLength
    if octets.isEmpty { octets = RandomOctets.system(Self.drawn * length) }
    let salt = Array(octets.suffix(length))
    octets.removeLast(length)
    return salt
  }
}
