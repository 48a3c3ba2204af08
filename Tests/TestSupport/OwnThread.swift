import Dispatch
import Foundation
import Synchronization

/// Runs something that blocks on a thread of its own: the cooperative pool has as many threads as the machine has
/// cores, and the code under test needs them.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Waits for something asynchronous, on a thread of our own that may block.
public func waitBlocking<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Value?>(nil)
  Task {
    let value = await body()
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  // The semaphore was signalled, so it is there.
  return result.withLock { $0! }
}
