/// The pause that a `Retry-After` field asks for (RFC 9110 §10.2.3).
package struct RetryAfter: Sendable, Equatable {
  /// A day: whoever asks for more is asked again tomorrow.
  package static let secondsMaximum = 86_400

  /// 0…86,400.
  package let seconds: Int

  /// Reads seconds or a date. A number or date beyond a day counts as a day, a date of the past as 0; what is
  /// neither (a sign, a fraction, words) is nil.
  ///
  /// `dateSeconds` is what the date is compared with, since 1970: the answer's own `Date` where it has one,
  /// so that a clock that is off does not matter, else ours.
  package init?(parsing text: String, dateSeconds: Int64) {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A number of any length: beyond the range of Int64 it is beyond a day as well.
      let number = Int64(text) ?? .max
      seconds = Int(min(number, Int64(Self.secondsMaximum)))
      return
    }
    guard let date = HTTPDate(parsing: text, nowSeconds: dateSeconds) else { return nil }
    let (difference, overflow) = date.seconds.subtractingReportingOverflow(dateSeconds)
    if overflow {
      seconds = date.seconds > dateSeconds ? Self.secondsMaximum : 0
    } else {
      seconds = Int(max(0, min(difference, Int64(Self.secondsMaximum))))
    }
  }
}
