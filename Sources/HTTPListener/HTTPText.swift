/// The character classes of RFC 9110 §5.6.
enum HTTPText {
  /// Whether `text` is a token: `1*tchar` (RFC 9110 §5.6.2).
  static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenOctet) }

  /// Whether `text` can be a field value: HTAB, SP, visible ASCII and obs-text (RFC 9110 §5.5).
  static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// Whether the ASCII letters of two texts are equal without regard to case.
  static func isEqualIgnoringCase(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  /// `text` without the SP and HTAB around it.
  static func trimmed(_ text: String) -> String {
    let octets = text.utf8
    guard let first = octets.first, let last = octets.last, isSpace(first) || isSpace(last) else {
      return text
    }
    let front = octets.drop(while: isSpace)
    guard let end = front.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(Substring(front[...end]))
  }

  private static func isSpace(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }

  private static func lowered(_ octet: UInt8) -> UInt8 {
    (0x41...0x5A).contains(octet) ? octet | 0x20 : octet
  }

  private static func isTokenOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
