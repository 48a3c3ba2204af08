/// Base64 for keys and tokens (RFC 4648 §5 and §4), by table. Decoding refuses whatever a second spelling of
/// the same octets could be made of, save where a function says otherwise.
package enum Base64URL {
  /// Unpadded base64url (RFC 7515 §2): `⌈count × 4 / 3⌉` characters.
  package static func encode(_ octets: [UInt8]) -> String {
    let length = (octets.count * 4 + 2) / 3
    return unsafe String(unsafeUninitializedCapacity: length) { characters in
      var from = 0
      var to = 0
      func put(_ sextet: UInt32) {
        unsafe characters[to] = alphabet[Int(sextet & 0x3f)]
        to += 1
      }
      while from + 3 <= octets.count {
        let group = UInt32(octets[from]) << 16 | UInt32(octets[from + 1]) << 8 | UInt32(octets[from + 2])
        put(group >> 18)
        put(group >> 12)
        put(group >> 6)
        put(group)
        from += 3
      }
      switch octets.count - from {
      case 1:
        put(UInt32(octets[from]) >> 2)
        put(UInt32(octets[from]) << 4)
      case 2:
        let group = UInt32(octets[from]) << 8 | UInt32(octets[from + 1])
        put(group >> 10)
        put(group >> 4)
        put(group << 2)
      default: break
      }
      return to
    }
  }

  /// The octets of unpadded, canonical base64url; nil for anything else (padding, `+` and `/`, white space,
  /// bits left over that are not zero).
  package static func decode(_ text: String) -> [UInt8]? {
    decode(Array(text.utf8)[...], accepting: .url)
  }

  /// The octets of base64url or base64, padded or not; nil for both alphabets in one text, white space,
  /// padding that is wrong or not at the end, and bits left over that are not zero.
  package static func decodeEitherAlphabet(_ text: String) -> [UInt8]? {
    var characters = Array(text.utf8)[...]
    if characters.last == padding {
      guard characters.count % 4 == 0 else { return nil }
      characters.removeLast()
      if characters.last == padding { characters.removeLast() }
      // "====" and "A===": padding that belongs to no octet.
      guard characters.count % 4 >= 2 else { return nil }
    }
    let isStandard = characters.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    return decode(characters, accepting: isStandard ? .standard : .url)
  }

  private enum Alphabet { case url, standard }

  private static func decode(_ characters: ArraySlice<UInt8>, accepting accepted: Alphabet) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    let sextets = accepted == .url ? urlSextets : standardSextets
    var octets: [UInt8] = []
    octets.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in characters {
      let sextet = sextets[Int(character)]
      guard sextet != none else { return nil }
      bits = bits << 6 | UInt32(sextet)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    return bits == 0 ? octets : nil
  }

  private static let padding = UInt8(ascii: "=")
  private static let none: UInt8 = 0xff
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let urlSextets = table(of: alphabet)
  private static let standardSextets = table(of: Array(alphabet.dropLast(2)) + Array("+/".utf8))

  private static func table(of alphabet: [UInt8]) -> [UInt8] {
    var table = [UInt8](repeating: none, count: 256)
    for (sextet, character) in alphabet.enumerated() { table[Int(character)] = UInt8(sextet) }
    return table
  }
}
