/// A clock for deadlines and durations: it never steps, and its zero means nothing.
enum SteadyClock {
  private static let start = SuspendingClock().now

  /// Milliseconds since some moment in the past.
  static var milliseconds: Int64 {
    let (seconds, attoseconds) = start.duration(to: SuspendingClock().now).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
