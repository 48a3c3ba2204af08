internal import Synchronization

/// The identity that new connections are shown. Several listeners may share one; each has its own where it is given its own.
package final class TLSIdentitySlot: Sendable {
  private let identity: Mutex<TLSIdentity>

  /// Shows `identity` until another is put in its place.
  package init(_ identity: TLSIdentity) { self.identity = Mutex(identity) }

  /// The identity for handshakes that begin now.
  package var current: TLSIdentity { identity.withLock { $0 } }

  /// Shows another from now on. Connections that are open, or in the middle of their handshake, keep what they have.
  package func exchange(for other: TLSIdentity) { identity.withLock { $0 = other } }
}
