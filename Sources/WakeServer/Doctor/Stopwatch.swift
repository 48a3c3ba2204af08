/// Measures how long a step takes.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// So far, in milliseconds.
  var milliseconds: Int {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
