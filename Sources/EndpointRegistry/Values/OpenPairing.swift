/// A pairing code that nobody has used yet. The code itself is not kept.
package struct OpenPairing: Sendable, Equatable {
  /// Its name.
  package let id: PairingID
  /// The stack that it registers a device with.
  package let stack: StackID
  /// When it was made.
  package let createdAt: Int64
  /// When it ends.
  package let expiresAt: Int64

  /// All members, for stores and tests.
  package init(id: PairingID, stack: StackID, createdAt: Int64, expiresAt: Int64) {
    self.id = id
    self.stack = stack
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
