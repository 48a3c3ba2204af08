internal import EndpointRegistry
internal import Synchronization

/// Devices with a wake for alerts on its way. The next one waits for its end: what one push server keeps us waiting for
/// does not pile up.
final class WakesUnderWay: Sendable {
  /// The devices, each with the stack that has more for it, where one has.
  private let devices = Mutex<[DeviceID: StackID?]>([:])

  /// Notes that a wake begins; its device has none.
  func begin(_ device: DeviceID) { devices.withLock { $0[device] = .some(nil) } }

  /// Whether the device has one; then its `stack` is told when that ends.
  func holds(_ device: DeviceID, of stack: StackID) -> Bool {
    devices.withLock { devices in
      guard devices[device] != nil else { return false }
      devices[device] = stack
      return true
    }
  }

  /// Notes that the wake has ended; the stack that waited for that.
  func end(_ device: DeviceID) -> StackID? {
    devices.withLock { $0.removeValue(forKey: device) ?? nil }
  }
}
