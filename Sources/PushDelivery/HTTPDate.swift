/// A date of HTTP: the form of today and the two obsolete ones that recipients must know (RFC 9110 §5.6.7).
package struct HTTPDate: Sendable, Equatable {
  /// Seconds since 1970, for years 1…9999.
  package let seconds: Int64

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  ///
  /// The day's name is not checked against the date. `nowSeconds` places a year of two digits: one that
  /// seems over 50 years ahead is of the past century.
  package init?(parsing text: String, nowSeconds: Int64) {
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    let parts: (day: String, month: String, year: String, time: String)
    if words.count == 6, words[5] == "GMT" {
      parts = (words[1], words[2], words[3], words[4])
    } else if words.count == 4, words[3] == "GMT" {
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, date[2].utf8.count == 2 else { return nil }
      parts = (date[0], date[1], date[2], words[2])
    } else if words.count == 5 {
      parts = (words[2], words[1], words[4], words[3])
    } else {
      return nil
    }
    guard let day = Self.number(parts.day, digits: 1...2),
      let month = Self.months.firstIndex(of: parts.month),
      var year = Self.number(parts.year, digits: 2...4), parts.year.utf8.count != 3,
      let time = Self.secondOfDay(parts.time)
    else { return nil }
    if parts.year.utf8.count == 2 {
      let thisYear = Int(Self.civilYear(day: nowSeconds.flooredDivision(by: 86_400)))
      year += thisYear - thisYear % 100
      if year > thisYear + 50 { year -= 100 }
    }
    guard (1...9_999).contains(year), (1...Self.length(of: month + 1, in: year)).contains(day) else {
      return nil
    }
    seconds = Self.days(year: year, month: month + 1, day: day) * 86_400 + time
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func secondOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0), digits: 2...2) }
    // 60 is a leap second.
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar; years begin in March, so that the leap day is the last.
  private static func days(year: Int, month: Int, day: Int) -> Int64 {
    let year = Int64(month > 2 ? year : year - 1)
    let monthFromMarch = Int64((month + 9) % 12)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let daysBefore = year * 365 + year / 4 - year / 100 + year / 400
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    return daysBefore + dayOfYear - 719_468
  }

  /// The year of a day since 1970, exact enough for a century: of mean years, so off by days at its ends.
  private static func civilYear(day: Int64) -> Int64 { 1_970 + (day * 400).flooredDivision(by: 146_097) }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
