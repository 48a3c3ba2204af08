/// As much JSON (RFC 8259) as a token needs, so that this module needs no library for it.
enum JSONText {
  /// A member's value in a flat object.
  enum Scalar: Equatable {
    case string(String)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number, `true`, `false` or `null`: well formed, and of no use here.
    case other
  }

  /// `text` as a JSON string, quotes included (RFC 8259 §7).
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{00}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The members of an object that holds no array and no object; nil for anything else, for invalid UTF-8, a
  /// lone surrogate and a name that comes twice. Does not recurse, so no input can exhaust the stack.
  static func flatObject(_ octets: [UInt8]) -> [String: Scalar]? {
    var reader = JSONFlatReader(octets)
    return reader.object()
  }
}
