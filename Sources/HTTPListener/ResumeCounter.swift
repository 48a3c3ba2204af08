internal import Synchronization

/// Counts the calls that wake connections and have not returned yet.
final class ResumeCounter: Sendable {
  private let underWay = Atomic(0)

  /// Calls `body` and counts it meanwhile.
  func perform(_ body: () -> Void) {
    underWay.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { underWay.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    body()
  }

  /// Whether a call has not returned yet.
  var isBusy: Bool { underWay.load(ordering: .sequentiallyConsistent) > 0 }
}
