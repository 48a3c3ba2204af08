internal import Synchronization

/// Resumes a continuation with the first of several answers; the others are dropped.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, Never>?>

  /// Resumes `continuation`, once.
  package init(_ continuation: CheckedContinuation<Value, Never>) { waiting = Mutex(continuation) }

  /// Answers, where nobody has.
  package func give(_ value: Value) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: value)
  }
}
