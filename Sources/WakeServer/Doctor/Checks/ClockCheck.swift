internal import PushDelivery

/// Our clock, beside what a push server says of the time. A VAPID token tells until when it is good, so that a push
/// server refuses it where the two clocks are far apart (RFC 8292 §2).
struct ClockCheck {
  /// More than a slow answer and a clock that nobody sets make, and far from the hours of a token's life.
  static let differenceMilliseconds: Int64 = 5 * 60 * 1_000

  let sighting: ClockSightings.Sighting?

  /// The finding with its time.
  var timed: DoctorFinding {
    let watch = Stopwatch()
    let found = finding
    return found.verdict == .skipped ? found : found.took(watch.milliseconds)
  }

  private var finding: DoctorFinding {
    guard let sighting, let said = HTTPDate(parsing: sighting.date, nowSeconds: sighting.at / 1_000) else {
      return .skipped(.clock, "no push server has said what time it is since the start")
    }
    let ahead = sighting.at - said.seconds * 1_000
    let seen = "\(LocalTime.words(sighting.at)) here, \(LocalTime.words(said.seconds * 1_000)) there"
    guard ahead.magnitude > UInt64(Self.differenceMilliseconds) else {
      return DoctorFinding.ok(.clock, "it agrees with the push server's").about(sighting.origin)
    }
    return DoctorFinding.fault(
      .clock, seen,
      cause:
        "this machine's clock is \(Self.text(ahead)) the push server's, so that push servers refuse what we "
        + "sign, and certificates look expired or not valid yet",
      fix: "set the clock and keep it set: timedatectl set-ntp true"
    ).about(sighting.origin)
  }

  private static let minute: UInt64 = 60_000

  private static func text(_ ahead: Int64) -> String {
    func rounded(_ unit: UInt64) -> UInt64 { (ahead.magnitude + unit / 2) / unit }
    let (minutes, hours, days) = (rounded(minute), rounded(60 * minute), rounded(24 * 60 * minute))
    let length = minutes < 120 ? "\(minutes) minutes" : hours < 48 ? "\(hours) hours" : "\(days) days"
    return ahead > 0 ? "\(length) ahead of" : "\(length) behind"
  }
}
