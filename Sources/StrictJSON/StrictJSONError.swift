/// Why a text is not the JSON that this program takes. No case carries any of the text.
package enum StrictJSONError: Error, Equatable, Sendable {
  /// More octets than `JSONLimits.octets`.
  case tooLarge
  /// Nested deeper than `JSONLimits.depth`.
  case tooDeep
  /// Two members of one object have the same name once escapes are resolved (RFC 8259 §4).
  case duplicateKey
  /// Not JSON (RFC 8259); `offset` is the octet near which the parser stopped. A byte order mark is malformed too.
  case malformed(offset: Int)
  /// Not UTF-8: overlong, a surrogate, above U+10FFFF, or cut (RFC 3629 §3).
  case invalidUTF8(offset: Int)
  /// U+0000 in a string or a name as an escape, or an octet 0 anywhere.
  case nulCharacter(offset: Int)
  /// An integer that does not fit in 64 bits, or a real that is beyond the range of a double.
  case numberOutOfRange(offset: Int)
  /// The parser could not get memory.
  case outOfMemory
}

extension StrictJSONError: CustomStringConvertible {
  /// A sentence for whoever sent the text.
  package var description: String {
    switch self {
    case .tooLarge: "the JSON text is too long"
    case .tooDeep: "the JSON text is nested too deeply"
    case .duplicateKey: "an object of the JSON text has two members of the same name"
    case .malformed(let offset): "the JSON text is malformed near octet \(offset)"
    case .invalidUTF8(let offset): "the JSON text is not UTF-8 near octet \(offset)"
    case .nulCharacter(let offset): "the JSON text contains U+0000 near octet \(offset)"
    case .numberOutOfRange(let offset): "a number of the JSON text is out of range near octet \(offset)"
    case .outOfMemory: "there is no memory to read the JSON text"
    }
  }
}
