/// Durations, counted in fixed buckets.
package struct Histogram: Sendable, Equatable {
  /// The upper bounds of the buckets in seconds, rising; the last bucket, without a bound, is not named.
  package let bounds: [Double]
  /// What fell into each bucket, and not into one below; one more than there are bounds.
  private var counts: [UInt64]
  /// Seconds, all together.
  package private(set) var sum = 0.0

  package init(_ bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Counts one duration. A clock that was set back makes none shorter than nothing.
  package mutating func observe(_ seconds: Double) {
    let seconds = max(0, seconds)
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
    sum += seconds
  }

  /// How many there are.
  package var count: UInt64 { counts.reduce(0, +) }

  /// How many are within each bound, the last being all.
  package var cumulativeCounts: [UInt64] {
    var total: UInt64 = 0
    return counts.map { count in
      total += count
      return total
    }
  }
}

extension Histogram {
  /// A request on this machine: from a tenth of a store's commit on a fast disk to the wait for a busy store.
  static let requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// A transaction: from what a fast disk takes to what makes a hook call slow.
  static let commitBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
  /// A request to a push server, which is given up after ten seconds.
  static let pushBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// The same with what comes before: a window of half a minute, a pause of minutes or hours.
  static let answerBounds = pushBounds + [30, 60, 300, 900, 3_600, 14_400]
  /// Until a phone answers: at once, when it next wakes up, or in the morning.
  static let receiptBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]
}
