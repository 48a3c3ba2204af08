/// How a stack's wakes fare.
package struct StackDelivery: Sendable, Equatable {
  /// How many devices are in each state; a state that none is in is left out.
  package let devices: [DeviceState: Int]
  /// The push servers that its devices use, and those that answered within the last 30 days, in the order of origins.
  package let pushServers: [PushServerDelivery]

  /// Both members, for stores and tests.
  package init(devices: [DeviceState: Int], pushServers: [PushServerDelivery]) {
    self.devices = devices
    self.pushServers = pushServers
  }

  /// How long a push server that nobody uses any more is remembered: as long as attempts are.
  package static let rememberedMilliseconds: Int64 = 30 * Retention.day
  /// Push servers that are told, at most: more than any stack's devices use, whatever one of them registers.
  package static let pushServersMaximum = 1_000
}
