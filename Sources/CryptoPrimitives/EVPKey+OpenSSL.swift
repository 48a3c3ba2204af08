import COpenSSL

/// Owns one EVP_PKEY: a P-256 key, with or without its private half. Nothing changes the key once it is made,
/// and every operation has a context of its own, so OpenSSL lets threads use it at once (`openssl-threads(7)`);
/// it is the address that crosses threads. A lock for each of the two keys that an agreement needs would only
/// make them wait.
struct EVPKey: ~Copyable, Sendable {
  private let object: OpenSSLConstant

  init(takingOwnershipOf pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    object = unsafe try OpenSSLConstant(keeping: pointer, operation)
  }

  var pointer: OpaquePointer { unsafe object.pointer }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// A fresh pair from OpenSSL's own generator.
  static func generate() throws(CryptoError) -> EVPKey {
    let template = try Algorithms.p256Parameters.get()
    let context = unsafe try EVPKeyContext(for: template.pointer)
    try OpenSSLResult.check(unsafe EVP_PKEY_keygen_init(context.pointer), "EVP_PKEY_keygen_init")
    var key: OpaquePointer?
    try OpenSSLResult.check(unsafe EVP_PKEY_generate(context.pointer, &key), "EVP_PKEY_generate")
    return unsafe try EVPKey(takingOwnershipOf: key, "EVP_PKEY_generate")
  }

  /// A public key. `uncompressed` has 65 octets; OpenSSL checks that they name a point on the curve.
  static func publicKey(uncompressed: [UInt8]) throws(CryptoError) -> EVPKey {
    let template = try Algorithms.p256Parameters.get()
    let key = unsafe try EVPKey(takingOwnershipOf: EVP_PKEY_dup(template.pointer), "EVP_PKEY_dup")
    let set = unsafe EVP_PKEY_set1_encoded_public_key(key.pointer, uncompressed, uncompressed.count)
    try OpenSSLResult.check(set, "EVP_PKEY_set1_encoded_public_key")
    return key
  }

  /// A pair from its halves. `scalar` has 32 octets and is in range, `uncompressed` has 65 and is its point.
  static func pair(scalar: SecretOctets, uncompressed: [UInt8]) throws(CryptoError) -> EVPKey {
    let context = try EVPKeyContext.forP256()
    try OpenSSLResult.check(unsafe EVP_PKEY_fromdata_init(context.pointer), "EVP_PKEY_fromdata_init")
    var group = Array("P-256".utf8CString)
    var point = uncompressed
    // A parameter array holds numbers in the machine's order, which is little-endian wherever this runs.
    var number = Array(scalar.octets.reversed())
    defer { number.cleanse() }
    var key: OpaquePointer?
    let result = unsafe group.withUnsafeMutableBufferPointer { group in
      unsafe point.withUnsafeMutableBufferPointer { point in
        unsafe number.withUnsafeMutableBufferPointer { number in
          var parameters = unsafe [
            OSSL_PARAM_construct_utf8_string(wake_pkey_param_group_name(), group.baseAddress, 0),
            OSSL_PARAM_construct_octet_string(wake_pkey_param_public_key(), point.baseAddress, point.count),
            OSSL_PARAM_construct_BN(wake_pkey_param_private_key(), number.baseAddress, number.count),
            OSSL_PARAM_construct_end(),
          ]
          return unsafe EVP_PKEY_fromdata(context.pointer, &key, wake_pkey_keypair(), &parameters)
        }
      }
    }
    try OpenSSLResult.check(result, "EVP_PKEY_fromdata")
    return unsafe try EVPKey(takingOwnershipOf: key, "EVP_PKEY_fromdata")
  }

  /// The public half: 65 octets, 0x04 first.
  func uncompressed() throws(CryptoError) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: P256PublicKey.length)
    var length = 0
    let result = unsafe EVP_PKEY_get_octet_string_param(
      pointer, wake_pkey_param_public_key(), &octets, octets.count, &length)
    try OpenSSLResult.check(result, "EVP_PKEY_get_octet_string_param")
    guard length == octets.count else { throw .invalidPoint }
    return octets
  }

  /// The private half: always 32 octets, with its leading zeros.
  func scalar() throws(CryptoError) -> SecretOctets {
    var number: OpaquePointer?
    let result = unsafe EVP_PKEY_get_bn_param(pointer, wake_pkey_param_private_key(), &number)
    try OpenSSLResult.check(result, "EVP_PKEY_get_bn_param")
    return try unsafe BigNumber(takingOwnershipOf: number, "EVP_PKEY_get_bn_param").secretOctets()
  }

  /// The x coordinate of this private key's scalar times `peer`'s point: always 32 octets (SEC 1 §3.3.1).
  func sharedSecret(with peer: borrowing EVPKey) throws(CryptoError) -> [UInt8] {
    let context = unsafe try EVPKeyContext(for: pointer)
    try OpenSSLResult.check(unsafe EVP_PKEY_derive_init(context.pointer), "EVP_PKEY_derive_init")
    // 0: no second check of the peer. Its point was found on the curve when the key was made, and P-256 has
    // cofactor 1, so that every point but infinity is in the group.
    let set = unsafe EVP_PKEY_derive_set_peer_ex(context.pointer, peer.pointer, 0)
    try OpenSSLResult.check(set, "EVP_PKEY_derive_set_peer_ex")
    var secret = [UInt8](repeating: 0, count: P256PrivateKey.scalarLength)
    var length = secret.count
    try OpenSSLResult.check(unsafe EVP_PKEY_derive(context.pointer, &secret, &length), "EVP_PKEY_derive")
    guard length == secret.count else { throw .invalidLength }
    return secret
  }
}
