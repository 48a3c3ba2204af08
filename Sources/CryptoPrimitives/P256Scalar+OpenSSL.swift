import COpenSSL

/// From a private scalar to the point that belongs to it. `EVP_PKEY_fromdata` does not compute it.
enum P256Scalar {
  /// The scalar, 32 octets, times the base point, uncompressed. Throws `invalidScalar` for 0 and for n or more.
  /// OpenSSL's multiplication of the base point takes the same time for every scalar.
  static func publicPoint(of octets: [UInt8]) throws(CryptoError) -> [UInt8] {
    let group = try Algorithms.p256.get()
    let scalar = try BigNumber(octets)
    let isInRange =
      unsafe BN_is_zero(scalar.pointer) == 0
      && BN_cmp(scalar.pointer, EC_GROUP_get0_order(group.pointer)) < 0
    guard isInRange else { throw .invalidScalar }
    unsafe BN_set_flags(scalar.pointer, BN_FLG_CONSTTIME)
    let point = try PointHandle()
    let multiplied = unsafe EC_POINT_mul(group.pointer, point.pointer, scalar.pointer, nil, nil, nil)
    try OpenSSLResult.check(multiplied, "EC_POINT_mul")
    var uncompressed = [UInt8](repeating: 0, count: P256PublicKey.length)
    unsafe try point.write(&uncompressed, with: nil)
    return uncompressed
  }
}
