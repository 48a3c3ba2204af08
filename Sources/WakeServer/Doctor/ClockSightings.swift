internal import Synchronization

/// What a push server last said of the time, beside our own clock at that moment.
final class ClockSightings: Sendable {
  struct Sighting: Sendable, Equatable {
    /// The `Date` of an answer, as it came.
    let date: String
    let origin: String
    /// Our own time then, in milliseconds since 1970.
    let at: Int64
  }

  private let last = Mutex<Sighting?>(nil)

  func keep(_ date: String, from origin: String, at: Int64) {
    last.withLock { $0 = Sighting(date: date, origin: origin, at: at) }
  }

  /// The last one since the start; nil where no push server has answered.
  var newest: Sighting? { last.withLock(\.self) }
}
