/// Where the parts of a head lie in the buffer that it was received in.
///
/// The library parses a head in place and forgives much of what it should refuse: it ends a value at NUL, takes a
/// bare LF for a line end and glues a folded line to the field's *name*. Nothing of that shows in the parsed
/// parts, but all of it shows in their places: written out with nothing but single spaces in the request line, a
/// colon and white space between name and value, and CR LF after each line, the parts must fill the head to the octet.
struct HeadLayout: Sendable {
  /// One part: the address of its first octet and the number of its octets.
  struct Part: Sendable, Equatable {
    var start: UInt
    var count: Int
    /// The address of the octet after the last.
    var end: UInt { start &+ UInt(bitPattern: count) }
  }

  var method: Part
  var target: Part
  var version: Part
  var fields: [(name: Part, value: Part)]
  /// From the first octet of the method to the last LF.
  var head: Part

  /// Whether the parts fill the head without a seam that the parser did not show.
  var isSeamless: Bool {
    guard method.start == head.start, target.start == method.end &+ 1, version.start == target.end &+ 1
    else { return false }
    var line = version.end &+ 2
    for field in fields {
      // What lies between the colon and the value is white space: the parser skips nothing else there.
      guard field.name.start == line, field.value.start > field.name.end, field.value.end < head.end
      else { return false }
      line = field.value.end &+ 2
    }
    return line &+ 2 == head.end
  }
}
