import COpenSSL

/// Owns one BIGNUM, which is cleared when it is freed.
@safe
struct BigNumber: ~Copyable {
  let pointer: OpaquePointer

  init(takingOwnershipOf pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    unsafe self.pointer = try OpenSSLResult.check(pointer, operation)
  }

  /// A secret that is 0 at first and is worked with in constant time.
  static func secret() throws(CryptoError) -> BigNumber {
    let number = unsafe try BigNumber(takingOwnershipOf: BN_secure_new(), "BN_secure_new")
    unsafe BN_set_flags(number.pointer, BN_FLG_CONSTTIME)
    return number
  }

  /// The number that big-endian octets stand for.
  init(_ octets: [UInt8]) throws(CryptoError) {
    guard let length = Int32(exactly: octets.count) else { throw .invalidLength }
    unsafe try self.init(takingOwnershipOf: BN_bin2bn(octets, length, nil), "BN_bin2bn")
  }

  deinit { unsafe BN_clear_free(pointer) }

  /// 32 big-endian octets, leading zeros included. `BN_bn2bin` would drop them.
  func secretOctets() throws(CryptoError) -> SecretOctets {
    var octets = [UInt8](repeating: 0, count: P256PrivateKey.scalarLength)
    defer { octets.cleanse() }
    guard unsafe BN_bn2binpad(pointer, &octets, Int32(octets.count)) == Int32(octets.count) else {
      throw OpenSSLResult.failure("BN_bn2binpad")
    }
    return SecretOctets(octets)
  }
}
