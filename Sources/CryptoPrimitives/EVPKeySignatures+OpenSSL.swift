import COpenSSL

extension EVPKey {
  /// The ECDSA signature of a digest of 32 octets, in DER.
  func signature(ofDigest digest: [UInt8]) throws(CryptoError) -> [UInt8] {
    let context = unsafe try EVPKeyContext(for: pointer)
    try OpenSSLResult.check(unsafe EVP_PKEY_sign_init(context.pointer), "EVP_PKEY_sign_init")
    var der = [UInt8](repeating: 0, count: ECDSASignature.derLengthMaximum)
    var length = der.count
    let result = unsafe EVP_PKEY_sign(context.pointer, &der, &length, digest, digest.count)
    try OpenSSLResult.check(result, "EVP_PKEY_sign")
    return Array(der.prefix(length))
  }

  /// Whether `der` is this key's signature of a digest of 32 octets.
  func isValidSignature(der: [UInt8], forDigest digest: [UInt8]) -> Bool {
    guard let context = unsafe try? EVPKeyContext(for: pointer) else { return false }
    let isValid =
      unsafe EVP_PKEY_verify_init(context.pointer) == 1
      && EVP_PKEY_verify(context.pointer, der, der.count, digest, digest.count) == 1
    if !isValid { OpenSSLResult.drain() }
    return isValid
  }
}
