/// Whole numbers as settings, flags and queries give them: digits alone, without a sign, a space or a point.
package enum WholeNumber {
  /// The number, where it is one within `range`.
  package static func parse<Number: FixedWidthInteger>(_ text: String, in range: ClosedRange<Number>)
    -> Number?
  {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Number(text).flatMap { range.contains($0) ? $0 : nil }
  }
}
