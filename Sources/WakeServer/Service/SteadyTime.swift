/// A clock that nobody sets and that goes on while the machine sleeps (CLOCK_BOOTTIME), as a parameter.
package struct SteadyTime: Sendable {
  /// Milliseconds since some moment.
  package let now: @Sendable () -> Int64
  /// Returns at that time, or when its task is cancelled.
  package let sleep: @Sendable (_ until: Int64) async -> Void

  package init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's clock, from the moment of this call.
  package static func system() -> SteadyTime {
    let start = ContinuousClock.now
    return SteadyTime(
      now: {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
      },
      sleep: { until in try? await ContinuousClock().sleep(until: start + .milliseconds(until)) })
  }
}
