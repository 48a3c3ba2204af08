import COpenSSL

/// Owns one EVP_MD_CTX.
@safe
struct DigestHandle: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    unsafe pointer = try OpenSSLResult.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
  }

  deinit { unsafe EVP_MD_CTX_free(pointer) }

  /// The digest of both, into `tag`. The algorithm was set before.
  func hash(_ first: [UInt8], _ second: [UInt8], into tag: inout [UInt8]) throws(CryptoError) {
    let isDone =
      unsafe EVP_DigestInit_ex2(pointer, nil, nil) == 1
      && EVP_DigestUpdate(pointer, first, first.count) == 1
      && EVP_DigestUpdate(pointer, second, second.count) == 1
      && EVP_DigestFinal_ex(pointer, &tag, nil) == 1
    guard isDone else { throw OpenSSLResult.failure("EVP_DigestUpdate") }
  }
}
