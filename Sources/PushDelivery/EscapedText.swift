/// Undoes what servers do to text that they echo, so that a secret in it is known again: percent signs (RFC 3986 §2.1),
/// the escapes of JSON (RFC 8259 §7) and the character references of HTML.
enum EscapedText {
  /// An escape within an escape, and one more: nobody goes further by accident.
  private static let rounds = 3

  /// `text` with octets in percent signs as such, and visible ASCII characters that are escaped otherwise; all else stays
  /// as it is.
  static func plain(_ text: String) -> String {
    var octets = Array(text.utf8)
    for _ in 0..<rounds {
      let next = unescaped(octets)
      guard next != octets else { break }
      octets = next
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private static func unescaped(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var rest = octets[...]
    while let octet = rest.first {
      if let (character, length) = escape(at: rest) {
        result.append(character)
        rest = rest.dropFirst(length)
      } else {
        result.append(octet)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The character that an escape at the beginning of `text` stands for, and how long the escape is.
  private static func escape(at text: ArraySlice<UInt8>) -> (UInt8, Int)? {
    switch text.first {
    case UInt8(ascii: "%"): number(text.dropFirst(), digits: 2).map { (UInt8($0), 3) }
    case UInt8(ascii: "\\"):
      if text.dropFirst().first == UInt8(ascii: "/") {
        (UInt8(ascii: "/"), 2)
      } else if text.dropFirst().first == UInt8(ascii: "u") {
        visible(number(text.dropFirst(2), digits: 4)).map { ($0, 6) }
      } else {
        nil
      }
    case UInt8(ascii: "&"): reference(text.dropFirst())
    default: nil
    }
  }

  /// `amp;`, `#61;` or `#x3d;`
  private static func reference(_ text: ArraySlice<UInt8>) -> (UInt8, Int)? {
    guard let end = text.prefix(8).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: text[..<end], as: UTF8.self).lowercased()
    let length = text[...end].count + 1
    if name.hasPrefix("#x") { return visible(Int(name.dropFirst(2), radix: 16)).map { ($0, length) } }
    if name.hasPrefix("#") { return visible(Int(name.dropFirst())).map { ($0, length) } }
    return named[name].map { ($0, length) }
  }

  private static let named: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
    "apos": UInt8(ascii: "'"),
  ]

  /// So many hexadecimal digits as a number.
  private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
    let word = String(decoding: text.prefix(digits), as: UTF8.self)
    guard word.utf8.count == digits, word.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return Int(word, radix: 16)
  }

  private static func visible(_ number: Int?) -> UInt8? {
    guard let number, (0x21...0x7e).contains(number) else { return nil }
    return UInt8(number)
  }
}
