import COpenSSL

/// Owns one EC_POINT of P-256, into which results are written. It is cleared when it is freed.
@safe
struct PointHandle: ~Copyable {
  let pointer: OpaquePointer

  /// A point without a value yet.
  init() throws(CryptoError) {
    let group = try Algorithms.p256.get()
    unsafe pointer = try OpenSSLResult.check(EC_POINT_new(group.pointer), "EC_POINT_new")
  }

  deinit { unsafe EC_POINT_clear_free(pointer) }

  /// The point in its uncompressed form, into `octets`, which has 65.
  func write(_ octets: inout [UInt8], with context: OpaquePointer?) throws(CryptoError) {
    let group = try Algorithms.p256.get()
    let length = unsafe EC_POINT_point2oct(
      group.pointer, pointer, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, context)
    guard length == P256PublicKey.length else { throw OpenSSLResult.failure("EC_POINT_point2oct") }
  }
}
