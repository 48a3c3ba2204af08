/// A private key on P-256 and the public key that belongs to it.
package struct P256PrivateKey: Sendable {
  /// Octets of a scalar and of a shared secret.
  package static let scalarLength = 32

  /// The scalar: always 32 octets, big-endian, leading zeros included.
  package let scalar: SecretOctets
  /// The scalar times the curve's base point.
  package let publicKey: P256PublicKey
  private let key: SharedEVPKey

  /// Takes a scalar of 32 octets. Throws `invalidScalar` for another length, for 0 and for n or more.
  package init(scalar octets: [UInt8]) throws(CryptoError) {
    guard octets.count == Self.scalarLength else { throw .invalidScalar }
    let scalar = SecretOctets(octets)
    let uncompressed = try P256Scalar.publicPoint(of: octets)
    key = SharedEVPKey(try EVPKey.pair(scalar: scalar, uncompressed: uncompressed))
    self.scalar = scalar
    publicKey = try P256PublicKey(uncompressed: uncompressed)
  }

  private init(_ key: consuming EVPKey) throws(CryptoError) {
    scalar = try key.scalar()
    publicKey = try P256PublicKey(uncompressed: key.uncompressed())
    self.key = SharedEVPKey(key)
  }

  /// A fresh pair from OpenSSL's generator for private values.
  package static func generate() throws(CryptoError) -> P256PrivateKey {
    try P256PrivateKey(EVPKey.generate())
  }

  /// The ECDH secret with `peer`: the x coordinate, always 32 octets (RFC 8291 §3.1, SEC 1 §3.3.1).
  package func sharedSecret(with peer: P256PublicKey) throws(CryptoError) -> [UInt8] {
    try key.handle.sharedSecret(with: EVPKey.publicKey(uncompressed: peer.uncompressed))
  }

  /// The ES256 signature of `message`: r ‖ s, always 64 octets (RFC 7518 §3.4).
  package func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
    let der = try key.handle.signature(ofDigest: SHA256.digest(message))
    return try ECDSASignature(der: der).fixed()
  }
}

extension P256PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone.
  package var description: String { "P256PrivateKey(<redacted>)" }
  /// The same.
  package var debugDescription: String { description }
  /// Shows nothing to `dump`.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
