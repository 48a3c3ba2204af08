internal import Glibc

/// Times as people at this machine read them.
package enum LocalTime {
  /// RFC 3339 with milliseconds, in the machine's time zone: `2026-05-04T09:30:00.000+02:00`.
  package static func text(_ milliseconds: Int64) -> String {
    let (whole, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    var seconds = time_t(whole)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return Presentation.time(milliseconds) }
    let minutes = unsafe parts.tm_gmtoff / 60
    let offset = "\(minutes < 0 ? "-" : "+")\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    let date = unsafe [Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return "\(padded(date[0], 4))-\(padded(date[1], 2))-\(padded(date[2], 2))T"
      + time.map { padded($0, 2) }.joined(separator: ":") + ".\(padded(Int(abs(fraction)), 3))\(offset)"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
