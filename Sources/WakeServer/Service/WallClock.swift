internal import FoundationEssentials

/// The time of day, as a parameter: the service's own, or a test's.
package struct WallClock: Sendable {
  /// Milliseconds since 1970.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The machine's clock.
  package static let system = WallClock { Int64(Date().timeIntervalSince1970 * 1_000) }
}
