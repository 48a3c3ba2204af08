internal import CCurl
internal import Synchronization

/// Ends a `CurlMulti.poll` from another thread: `curl_multi_wakeup(3)`, the one call that any thread may make.
final class CurlMultiWakeup: Sendable {
  /// The handle's address while it lives, else 0. The lock keeps it alive during the call.
  private let address = Mutex<UInt>(0)

  /// Wakes that handle from now on.
  func attach(_ multi: borrowing CurlMulti) {
    let value = multi.address
    address.withLock { $0 = value }
  }

  /// Wakes nobody from now on; before the handle is freed.
  func detach() { address.withLock { $0 = 0 } }

  /// Ends the poll that is waiting, or the next one.
  func wake() {
    address.withLock { address in
      guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
      unsafe curl_multi_wakeup(pointer)
    }
  }
}
