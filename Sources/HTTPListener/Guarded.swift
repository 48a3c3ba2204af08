internal import Synchronization

/// A `Mutex` whose hand-over the thread sanitizer can see.
///
/// A contended `Mutex` of Swift 6.3 on Linux is handed over by the kernel (`FUTEX_LOCK_PI`), without an atomic operation
/// of ours, and the sanitizer reports every such hand-over as a race. The flag below, stored before the lock is given up
/// and read after it was taken, shows it the order; it costs a store and a load of a cache line that is ours already.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let isHandedOver = Atomic(false)

  /// Guards a value from now on.
  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls `body` with the value while nobody else has it.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = isHandedOver.load(ordering: .acquiring)
      defer { isHandedOver.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
