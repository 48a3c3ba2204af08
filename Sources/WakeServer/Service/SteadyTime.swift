/// A clock that nobody sets and that goes on while the machine sleeps (CLOCK_BOOTTIME), as a parameter.
package struct SteadyTime: Sendable {
  /// Milliseconds since some moment.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The machine's clock, from the moment of this call.
  package static func system() -> SteadyTime {
    let start = ContinuousClock.now
    return SteadyTime {
      let (seconds, attoseconds) = start.duration(to: .now).components
      return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
  }
}
