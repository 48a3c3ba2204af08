/// A look at the raw octets that costs one pass and no recursion, before a parser sees them.
enum JSONScan {
  /// Refuses octets that nest arrays and objects deeper than `depth`, or contain NUL anywhere.
  ///
  /// It follows the parser's notion of a string (from quote to quote, a backslash hides the next octet). Where
  /// a text is malformed the parser stops earlier than this does, so what the parser sees never nests deeper
  /// than what was counted here. NUL is refused here because jansson takes a NUL between tokens for the end of
  /// the text and would not look at what follows.
  static func check(_ octets: [UInt8], depth limit: Int) throws(StrictJSONError) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for (offset, octet) in octets.enumerated() {
      if octet == 0 { throw .nulCharacter(offset: offset) }
      if isEscaped {
        isEscaped = false
      } else if isInString {
        switch octet {
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""): isInString = false
        default: break
        }
      } else {
        switch octet {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth > limit { throw .tooDeep }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
    }
  }
}
