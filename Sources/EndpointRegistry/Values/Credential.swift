/// What a token that the store knows stands for.
package enum Credential: Sendable, Equatable {
  /// A core's token for its stack.
  case hook(StackID)
  /// A pairing code, expired and used ones included: registering says which.
  case pairing(StackID)
  /// A companion's token for its device.
  case device(DeviceID, StackID)
  /// The token of a device that was revoked or removed: 410.
  case revoked(DeviceID, StackID)
  /// The operator's token.
  case admin
}
