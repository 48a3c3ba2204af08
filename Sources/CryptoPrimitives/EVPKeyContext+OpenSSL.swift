import COpenSSL

/// Owns one EVP_PKEY_CTX: one operation with one key.
@safe
struct EVPKeyContext: ~Copyable {
  let pointer: OpaquePointer

  private init(takingOwnershipOf pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    unsafe self.pointer = try OpenSSLResult.check(pointer, operation)
  }

  /// A context in which a key comes to be.
  static func forP256() throws(CryptoError) -> EVPKeyContext {
    unsafe try EVPKeyContext(
      takingOwnershipOf: EVP_PKEY_CTX_new_from_name(nil, "EC", nil), "EVP_PKEY_CTX_new_from_name")
  }

  /// A context that uses `key`, an EVP_PKEY. OpenSSL counts the reference; the caller's may go first.
  init(for key: OpaquePointer) throws(CryptoError) {
    unsafe try self.init(
      takingOwnershipOf: EVP_PKEY_CTX_new_from_pkey(nil, key, nil), "EVP_PKEY_CTX_new_from_pkey")
  }

  deinit { unsafe EVP_PKEY_CTX_free(pointer) }
}
