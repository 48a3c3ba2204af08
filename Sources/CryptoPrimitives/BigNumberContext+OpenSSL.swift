import COpenSSL

/// Owns one BN_CTX: the numbers that OpenSSL needs on the way. They are cleared when it is freed.
@safe
struct BigNumberContext: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    unsafe pointer = try OpenSSLResult.check(BN_CTX_new(), "BN_CTX_new")
  }

  deinit { unsafe BN_CTX_free(pointer) }
}
