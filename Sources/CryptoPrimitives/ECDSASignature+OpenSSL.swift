import COpenSSL

/// Owns one ECDSA_SIG: the way between the DER that OpenSSL signs with and the fixed 64 octets of
/// ES256 (RFC 7518 §3.4).
@safe
struct ECDSASignature: ~Copyable {
  /// Octets of r ‖ s.
  static let length = 2 * halfLength
  /// The longest DER form: a sequence of two integers of 33 octets, each part with two octets of tag and length.
  static let derLengthMaximum = 2 + 2 * (2 + halfLength + 1)
  private static let halfLength = 32

  private let pointer: OpaquePointer

  private init(takingOwnershipOf pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    unsafe self.pointer = try OpenSSLResult.check(pointer, operation)
  }

  /// Reads DER.
  init(der: [UInt8]) throws(CryptoError) {
    let signature = unsafe der.withUnsafeBufferPointer { der -> OpaquePointer? in
      var next = der.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &next, der.count)
    }
    unsafe try self.init(takingOwnershipOf: signature, "d2i_ECDSA_SIG")
  }

  /// Reads 64 octets, r ‖ s.
  static func reading(fixed: [UInt8]) throws(CryptoError) -> ECDSASignature {
    guard fixed.count == length else { throw .invalidLength }
    let signature = unsafe try ECDSASignature(takingOwnershipOf: ECDSA_SIG_new(), "ECDSA_SIG_new")
    let r = unsafe BN_bin2bn(Array(fixed[..<halfLength]), Int32(halfLength), nil)
    let s = unsafe BN_bin2bn(Array(fixed[halfLength...]), Int32(halfLength), nil)
    // The signature owns both from here on, unless the call fails.
    guard unsafe ECDSA_SIG_set0(signature.pointer, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      throw OpenSSLResult.failure("ECDSA_SIG_set0")
    }
    return signature
  }

  deinit { unsafe ECDSA_SIG_free(pointer) }

  /// r ‖ s, 32 octets each, leading zeros included.
  func fixed() throws(CryptoError) -> [UInt8] {
    var fixed = [UInt8](repeating: 0, count: Self.length)
    let half = Int32(Self.halfLength)
    let written = unsafe fixed.withUnsafeMutableBufferPointer { octets in
      let r = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pointer), octets.baseAddress, half)
      let s = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pointer), octets.baseAddress! + Self.halfLength, half)
      return r == half && s == half
    }
    guard written else { throw OpenSSLResult.failure("BN_bn2binpad") }
    return fixed
  }

  /// The DER form.
  func der() throws(CryptoError) -> [UInt8] {
    var der = [UInt8](repeating: 0, count: Self.derLengthMaximum)
    let length = unsafe der.withUnsafeMutableBufferPointer { octets -> Int32 in
      var next = octets.baseAddress
      return unsafe i2d_ECDSA_SIG(pointer, &next)
    }
    guard length > 0 else { throw OpenSSLResult.failure("i2d_ECDSA_SIG") }
    return Array(der.prefix(Int(length)))
  }
}
