import COpenSSL

/// The algorithms of this module, fetched once. A fetch by name for every operation would cost a third of an
/// encryption.
package enum Algorithms {
  /// Fetches every algorithm now, so that a broken OpenSSL configuration is a refusal to start and not a trap
  /// at the first digest.
  package static func prepare() throws(CryptoError) {
    keepUntilTheEnd()
    _ = try sha256.get()
    _ = try hmacSHA256.get()
    _ = try aes128GCM.get()
    _ = try aes256GCM.get()
    _ = try p256.get()
    _ = try p256Parameters.get()
  }

  /// Has OpenSSL leave its state alone when the process exits.
  ///
  /// It would free everything in an atexit handler, while threads of ours that used it may still be ending and
  /// free what they hold: some of it twice. Only the first call into OpenSSL of a process can say so
  /// (OPENSSL_INIT_NO_ATEXIT, OPENSSL_init_crypto(3)).
  package static func keepUntilTheEnd() {
    _ = OPENSSL_init_crypto(wake_init_no_atexit(), nil)
  }

  static let sha256 = constant { () throws(CryptoError) in
    unsafe try OpenSSLConstant(keeping: EVP_MD_fetch(nil, "SHA256", nil), "EVP_MD_fetch")
  }

  static let aes128GCM = constant { () throws(CryptoError) in
    unsafe try OpenSSLConstant(keeping: EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "EVP_CIPHER_fetch")
  }

  static let aes256GCM = constant { () throws(CryptoError) in
    unsafe try OpenSSLConstant(keeping: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "EVP_CIPHER_fetch")
  }

  /// A context of HMAC with SHA-256 chosen and a key of no meaning: only a context with a key can be
  /// duplicated, and every user sets its own.
  static let hmacSHA256 = constant { () throws(CryptoError) in
    let mac = unsafe try OpenSSLResult.check(EVP_MAC_fetch(nil, "HMAC", nil), "EVP_MAC_fetch")
    defer { unsafe EVP_MAC_free(mac) }
    let template = unsafe try OpenSSLConstant(keeping: EVP_MAC_CTX_new(mac), "EVP_MAC_CTX_new")
    var name = Array("SHA256".utf8CString)
    let result = unsafe name.withUnsafeMutableBufferPointer { name in
      let parameters = unsafe [
        OSSL_PARAM_construct_utf8_string(wake_mac_param_digest(), name.baseAddress, 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_init(template.pointer, [0], 1, parameters)
    }
    try OpenSSLResult.check(result, "EVP_MAC_init")
    return template
  }

  static let p256 = constant { () throws(CryptoError) in
    unsafe try OpenSSLConstant(
      keeping: EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), "EC_GROUP_new_by_curve_name")
  }

  /// The curve as an EVP_PKEY without a key in it. A key made from it copies the curve, which takes a fraction of
  /// the time that making the curve by name does.
  static let p256Parameters = constant { () throws(CryptoError) in
    let context = try EVPKeyContext.forP256()
    try OpenSSLResult.check(unsafe EVP_PKEY_paramgen_init(context.pointer), "EVP_PKEY_paramgen_init")
    let named = unsafe EVP_PKEY_CTX_set_group_name(context.pointer, "P-256")
    try OpenSSLResult.check(named, "EVP_PKEY_CTX_set_group_name")
    var parameters: OpaquePointer?
    try OpenSSLResult.check(unsafe EVP_PKEY_generate(context.pointer, &parameters), "EVP_PKEY_generate")
    return unsafe try OpenSSLConstant(keeping: parameters, "EVP_PKEY_generate")
  }

  private static func constant(
    _ make: () throws(CryptoError) -> OpenSSLConstant
  ) -> Result<OpenSSLConstant, CryptoError> {
    keepUntilTheEnd()
    return Result(catching: make)
  }
}
