/// Base32 in lower case without padding (RFC 4648 §6): the alphabet of ids that people may have to read out.
enum Base32 {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// `octets` as ceil(8n/5) characters of `[a-z2-7]`; the bits that are missing at the end are zero.
  static func encode(_ octets: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((octets.count * 8 + 4) / 5)
    var held = 0
    var heldBits = 0
    for octet in octets {
      held = (held & 0x1F) << 8 | Int(octet)
      heldBits += 8
      while heldBits >= 5 {
        heldBits -= 5
        text.append(alphabet[(held >> heldBits) & 0x1F])
      }
    }
    if heldBits > 0 {
      text.append(alphabet[(held << (5 - heldBits)) & 0x1F])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether `text` is `count` characters of the alphabet.
  static func isText(_ text: some StringProtocol, count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
  }
}
