/// What came of a change.
package struct DeviceUpdate: Sendable {
  /// The device as it is now.
  package let device: Device
  /// Whether the subscription in use is another than before: an activation wake is due.
  package let subscriptionChanged: Bool

  /// Both members, for stores and tests.
  package init(device: Device, subscriptionChanged: Bool) {
    self.device = device
    self.subscriptionChanged = subscriptionChanged
  }
}
