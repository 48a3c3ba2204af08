import Foundation

/// Runs something that blocks on a thread of its own: the cooperative pool has as many threads as the machine has
/// cores, and the code under test needs them.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
