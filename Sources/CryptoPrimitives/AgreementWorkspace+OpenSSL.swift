import COpenSSL

/// ECDH on P-256 with a key pair that lives for one message (RFC 8291 §3.1), by two multiplications and nothing else.
/// What OpenSSL needs for it is made once and used again; one thread at a time has it.
///
/// `EC_POINT_mul` with one secret scalar takes the same time for all of them: `ecp_nistz256` where the processor has it,
/// a ladder elsewhere. The peer's point was found on the curve when it came in, and P-256 has cofactor 1, so that a
/// scalar from 1 to n - 1 times it is never infinity.
@safe
package struct AgreementWorkspace: ~Copyable {
  /// The pair's public half: 65 octets, 0x04 first.
  package private(set) var publicKey = [UInt8](repeating: 0, count: P256PublicKey.length)
  /// The x coordinate that both keys agree on: 32 octets (SEC 1 §3.3.1). A secret.
  package private(set) var secret = [UInt8](repeating: 0, count: P256PrivateKey.scalarLength)

  private let group: OpenSSLConstant
  private let context: BigNumberContext
  private let point: PointHandle
  private let scalar: BigNumber
  private let x: BigNumber

  /// Makes what `agree` uses.
  package init() throws(CryptoError) {
    // Nothing throws once a member is set: Swift cannot yet undo half of a value that is not copied.
    let group = try Algorithms.p256.get()
    let context = try BigNumberContext()
    let point = try PointHandle()
    let scalar = try BigNumber.secret()
    let x = try BigNumber.secret()
    self.group = group
    self.context = context
    self.point = point
    self.scalar = scalar
    self.x = x
  }

  /// Agrees with `peer` under a fresh scalar of OpenSSL's generator for private values.
  package mutating func agree(with peer: P256PublicKey) throws(CryptoError) {
    repeat {
      let drawn = unsafe BN_priv_rand_range(scalar.pointer, EC_GROUP_get0_order(group.pointer))
      try OpenSSLResult.check(drawn, "BN_priv_rand_range")
    } while unsafe BN_is_zero(scalar.pointer) == 1
    try multiply(peer)
  }

  /// Agrees with `peer` under a given private key, which may be used for no second message.
  package mutating func agree(with peer: P256PublicKey, as key: P256PrivateKey) throws(CryptoError) {
    let number = unsafe key.scalar.withOctets { octets in
      unsafe BN_bin2bn(octets, Int32(P256PrivateKey.scalarLength), scalar.pointer)
    }
    guard unsafe number != nil else { throw OpenSSLResult.failure("BN_bin2bn") }
    try multiply(peer)
  }

  /// Overwrites the scalar, the secret and the point that it is a coordinate of.
  package mutating func cleanse() {
    unsafe BN_clear(scalar.pointer)
    unsafe BN_clear(x.pointer)
    unsafe EC_POINT_copy(point.pointer, EC_GROUP_get0_generator(group.pointer))
    secret.cleanse()
  }

  private mutating func multiply(_ peer: P256PublicKey) throws(CryptoError) {
    let own = unsafe EC_POINT_mul(
      group.pointer, point.pointer, scalar.pointer, nil, nil, context.pointer)
    try OpenSSLResult.check(own, "EC_POINT_mul")
    unsafe try point.write(&publicKey, with: context.pointer)
    let shared = unsafe EC_POINT_mul(
      group.pointer, point.pointer, nil, peer.point.pointer, scalar.pointer, context.pointer)
    try OpenSSLResult.check(shared, "EC_POINT_mul")
    let read = unsafe EC_POINT_get_affine_coordinates(
      group.pointer, point.pointer, x.pointer, nil, context.pointer)
    try OpenSSLResult.check(read, "EC_POINT_get_affine_coordinates")
    let written = unsafe BN_bn2binpad(x.pointer, &secret, Int32(secret.count))
    guard written == Int32(secret.count) else { throw OpenSSLResult.failure("BN_bn2binpad") }
  }
}
