internal import Foundation
internal import Glibc

/// Times as people at this machine read them.
package enum LocalTime {
  /// To the second, with how far it is from UTC: `2026-05-04 09:30:00 +02:00`.
  package static func words(_ milliseconds: Int64) -> String {
    guard let parts = parts(milliseconds) else { return Presentation.time(milliseconds) }
    return "\(parts.date) \(parts.time) \(parts.offset)"
  }

  /// The same of a time in RFC 3339; what is none stays as it is.
  package static func words(of text: String) -> String {
    guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    else {
      return text
    }
    return words(Int64(date.timeIntervalSince1970 * 1_000))
  }

  /// RFC 3339 with milliseconds, in the machine's time zone: `2026-05-04T09:30:00.000+02:00`.
  package static func text(_ milliseconds: Int64) -> String {
    guard let parts = parts(milliseconds) else { return Presentation.time(milliseconds) }
    let fraction = padded(Int(abs(milliseconds % 1_000)), 3)
    return "\(parts.date)T\(parts.time).\(fraction)\(parts.offset)"
  }

  private static func parts(_ milliseconds: Int64) -> (date: String, time: String, offset: String)? {
    var seconds = time_t(milliseconds / 1_000)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    let minutes = unsafe parts.tm_gmtoff / 60
    let offset = "\(minutes < 0 ? "-" : "+")\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    let (year, month, day) = unsafe (Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return (
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))",
      time.map { padded($0, 2) }.joined(separator: ":"), offset
    )
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
