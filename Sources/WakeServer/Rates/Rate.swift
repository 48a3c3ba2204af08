/// How often something may be done: so many times at once, and as many again in so many seconds, evenly.
package struct Rate: Sendable, Equatable {
  /// 1 to ``maximum``.
  package let count: Int
  /// In which as many come back.
  package let seconds: Int

  /// The most that can be asked for: far more than the service does in a second, and a whole microsecond for each.
  package static let maximum = 1_000_000

  package static func perSecond(_ count: Int) -> Rate { Rate(count, in: 1) }
  package static func perMinute(_ count: Int) -> Rate { Rate(count, in: 60) }

  package init(_ count: Int, in seconds: Int) {
    self.count = count
    self.seconds = seconds
  }

  /// `60 times a minute`.
  var text: String {
    let times = count == 1 ? "once" : "\(count) times"
    switch seconds {
    case 1: return "\(times) a second"
    case 60: return "\(times) a minute"
    default: return "\(times) in \(seconds) seconds"
    }
  }
}
