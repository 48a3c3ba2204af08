/// Whether a pairing code still opens anything.
package enum PairingState: Sendable, Equatable {
  /// It reads its stack and registers its one device.
  case open
  /// Its time is over.
  case expired
  /// The device that it registered was revoked or removed, which ends the code too.
  case ended
}

/// What a token that the store knows stands for.
package enum Credential: Sendable, Equatable {
  /// A core's token for its stack.
  case hook(StackID)
  /// A pairing code, also one that opens nothing any more.
  case pairing(StackID, PairingState)
  /// A companion's token for its device.
  case device(DeviceID, StackID)
  /// The token of a device that was revoked or removed: 410.
  case revoked(DeviceID, StackID)
  /// The operator's token.
  case admin
}
