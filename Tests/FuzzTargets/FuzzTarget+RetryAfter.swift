import PushDelivery

extension FuzzTarget {
  /// `Retry-After`, and what its dates are compared with (the eight octets in front).
  static let retryAfter = FuzzTarget("retry-after", lengthMaximum: 128) { octets in
    guard octets.count >= 8 else { return }
    let text = String(decoding: octets[8...], as: UTF8.self)
    let any = octets[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    for seconds in [any, 1_800_000_000, 0] {
      if let date = HTTPDate(parsing: text, nowSeconds: seconds) {
        // Years 1 to 9999.
        try require((-62_135_596_800...253_402_300_800).contains(date.seconds), "a date is out of range")
      }
      guard let pause = RetryAfter(parsing: text, dateSeconds: seconds) else { continue }
      try require((0...RetryAfter.secondsMaximum).contains(pause.seconds), "a pause is out of range")
    }
  }
}
