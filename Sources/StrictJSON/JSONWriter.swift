/// Writes JSON values as one line of UTF-8, without white space between tokens.
struct JSONWriter {
  /// What has been written so far.
  private(set) var octets: [UInt8] = []

  /// Writes one value; recursion is as deep as the value, which our own code or the parser has bounded.
  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .number(let value): append(Self.text(of: value))
    case .string(let value): write(value)
    case .array(let elements):
      writeList(elements, open: "[", close: "]") { $0.write($1) }
    case .object(let object):
      writeList(object.members, open: "{", close: "}") { writer, member in
        writer.write(member.name)
        writer.append(":")
        writer.write(member.value)
      }
    }
  }

  /// The shortest digits that read back as the same double. JSON has no NaN and no infinity: `null`, as
  /// ECMAScript's `JSON.stringify` does.
  private static func text(of value: Double) -> String { value.isFinite ? value.description : "null" }

  private mutating func writeList<Element>(
    _ elements: [Element], open: StaticString, close: StaticString,
    each: (inout JSONWriter, Element) -> Void
  ) {
    append(open.description)
    for (position, element) in elements.enumerated() {
      if position > 0 { append(",") }
      each(&self, element)
    }
    append(close.description)
  }

  private mutating func append(_ text: String) { octets.append(contentsOf: text.utf8) }

  /// Besides what RFC 8259 §7 asks for, U+007F to U+009F, U+2028 and U+2029 are escaped: a label that a stranger
  /// chose can neither drive the operator's terminal nor break a line.
  private mutating func write(_ text: String) {
    octets.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: append("\\\"")
      case 0x5C: append("\\\\")
      case 0x08: append("\\b")
      case 0x09: append("\\t")
      case 0x0A: append("\\n")
      case 0x0C: append("\\f")
      case 0x0D: append("\\r")
      case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: writeEscape(scalar.value)
      case 0x20...0x7E: octets.append(UInt8(truncatingIfNeeded: scalar.value))
      default: octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    octets.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ codeUnit: UInt32) {
    let digits = Array("0123456789abcdef".utf8)
    append("\\u")
    for shift in [12, 8, 4, 0] { octets.append(digits[Int(codeUnit >> UInt32(shift)) & 0xF]) }
  }
}
