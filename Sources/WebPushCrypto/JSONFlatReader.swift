/// Reads one flat JSON object from front to back. Every method returns nil where the text is not what it reads.
struct JSONFlatReader {
  private let octets: [UInt8]
  private var position = 0

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  /// The whole text: an object, and white space around it.
  mutating func object() -> [String: JSONText.Scalar]? {
    var members: [String: JSONText.Scalar] = [:]
    guard skip("{") else { return nil }
    if !skip("}") {
      repeat {
        guard let name = string(), skip(":"), let value = scalar(),
          members.updateValue(value, forKey: name) == nil
        else { return nil }
      } while skip(",")
      guard skip("}") else { return nil }
    }
    skipWhiteSpace()
    return position == octets.count ? members : nil
  }

  private mutating func scalar() -> JSONText.Scalar? {
    skipWhiteSpace()
    switch next {
    case UInt8(ascii: "\""): return string().map(JSONText.Scalar.string)
    case UInt8(ascii: "t"): return literal("true")
    case UInt8(ascii: "f"): return literal("false")
    case UInt8(ascii: "n"): return literal("null")
    default: return number()
    }
  }

  private mutating func literal(_ text: StaticString) -> JSONText.Scalar? {
    let expected = Array(text.description.utf8)
    guard octets[position...].starts(with: expected) else { return nil }
    position += expected.count
    return .other
  }

  private mutating func number() -> JSONText.Scalar? {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let leadsWithZero = next == UInt8(ascii: "0")
    guard let digitCount = digits(), !leadsWithZero || digitCount == 1 else { return nil }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard digits() != nil else { return nil }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard digits() != nil else { return nil }
    }
    let text = String(decoding: octets[start..<position], as: UTF8.self)
    guard isInteger, let integer = Int64(text) else { return .other }
    return .integer(integer)
  }

  /// Skips one digit or more and says how many.
  private mutating func digits() -> Int? {
    let start = position
    while let octet = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) { position += 1 }
    return position > start ? position - start : nil
  }

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    var content: [UInt8] = []
    while let octet = next {
      position += 1
      switch octet {
      case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let character = escaped() else { return nil }
        content += Array(String(character).utf8)
      case 0..<0x20: return nil
      default: content.append(octet)
      }
    }
    return nil
  }

  /// The character of an escape whose backslash has been read.
  private mutating func escaped() -> Unicode.Scalar? {
    guard let octet = next else { return nil }
    position += 1
    switch octet {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(octet)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return codeUnits()
    default: return nil
    }
  }

  /// The character of `\u` and four digits, or of two such escapes where the first is a high surrogate.
  private mutating func codeUnits() -> Unicode.Scalar? {
    guard let first = codeUnit() else { return nil }
    guard (0xd800...0xdbff).contains(first) else { return Unicode.Scalar(first) }
    guard octets[position...].starts(with: Array("\\u".utf8)) else { return nil }
    position += 2
    guard let second = codeUnit(), (0xdc00...0xdfff).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
  }

  private mutating func codeUnit() -> UInt32? {
    guard octets.count - position >= 4 else { return nil }
    let text = octets[position..<position + 4]
    guard text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    position += 4
    return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
  }

  private var next: UInt8? { position < octets.count ? octets[position] : nil }

  /// Skips white space and then `character`; says whether it was there.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipWhiteSpace()
    guard let octet = next, octet == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while let octet = next, [0x20, 0x09, 0x0a, 0x0d].contains(octet) { position += 1 }
  }
}
