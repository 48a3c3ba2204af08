import COpenSSL

/// Owns one EVP_CIPHER_CTX.
@safe
struct CipherHandle: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    unsafe pointer = try OpenSSLResult.check(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
  }

  deinit { unsafe EVP_CIPHER_CTX_free(pointer) }
}
