import COpenSSL

/// The two multiplications on P-256 that one message needs and nothing else: an ephemeral key from its scalar, and the
/// secret shared with the phone, each with its conversion to affine coordinates.
final class ScalarLimit {
  struct Failed: Error {}

  private let group: OpaquePointer
  private let context: OpaquePointer
  private let peer: OpaquePointer
  private let result: OpaquePointer
  private let scalar: OpaquePointer
  private let (x, y): (OpaquePointer, OpaquePointer)

  /// - Parameter peer: the phone's public key, uncompressed.
  init(peer octets: [UInt8]) throws {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let context = BN_CTX_new(),
      let peer = EC_POINT_new(group), let result = EC_POINT_new(group), let scalar = BN_new(),
      let x = BN_new(),
      let y = BN_new(), EC_POINT_oct2point(group, peer, octets, octets.count, context) == 1,
      BN_rand_range(scalar, EC_GROUP_get0_order(group)) == 1
    else { throw Failed() }
    (self.group, self.context, self.peer, self.result, self.scalar) = (group, context, peer, result, scalar)
    (self.x, self.y) = (x, y)
  }

  deinit {
    for number in [scalar, x, y] { BN_free(number) }
    for point in [peer, result] { EC_POINT_free(point) }
    BN_CTX_free(context)
    EC_GROUP_free(group)
  }

  /// What one message costs at the least.
  func message() {
    precondition(EC_POINT_mul(group, result, scalar, nil, nil, context) == 1)
    precondition(EC_POINT_get_affine_coordinates(group, result, x, y, context) == 1)
    precondition(EC_POINT_mul(group, result, nil, peer, scalar, context) == 1)
    precondition(EC_POINT_get_affine_coordinates(group, result, x, y, context) == 1)
  }
}
