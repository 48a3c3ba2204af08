import COpenSSL

/// Owns one EC_POINT of P-256 that was found on the curve and is not infinity. Nothing changes it once it is made, so
/// threads read it at once.
final class CurvePoint: Sendable {
  private let object: OpenSSLConstant

  /// Reads 65 octets, 0x04 first. Throws where a coordinate is not below the field's prime and where the point is off
  /// the curve: `EC_POINT_oct2point` looks at both.
  init(uncompressed: [UInt8]) throws(CryptoError) {
    precondition(uncompressed.count == P256PublicKey.length && uncompressed[0] == 0x04)
    let group = try Algorithms.p256.get()
    object = unsafe try OpenSSLConstant(keeping: EC_POINT_new(group.pointer), "EC_POINT_new")
    let read = unsafe EC_POINT_oct2point(
      group.pointer, object.pointer, uncompressed, uncompressed.count, nil)
    try OpenSSLResult.check(read, "EC_POINT_oct2point")
  }

  var pointer: OpaquePointer { unsafe object.pointer }

  deinit { unsafe EC_POINT_free(pointer) }
}
