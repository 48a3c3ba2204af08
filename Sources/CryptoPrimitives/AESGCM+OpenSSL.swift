import COpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D) with keys of 128 or 256 bits, nonces of 96 and tags of 128.
package enum AESGCM {
  /// Octets of a nonce.
  package static let nonceLength = 12
  /// Octets of a tag.
  package static let tagLength = 16
  /// The most that one call takes: OpenSSL counts in 32 bits.
  package static let lengthMaximum = Int(Int32.max) - tagLength

  /// Encrypts: the ciphertext, as long as `plaintext`, and the tag after it. `key` has 16 or 32 octets,
  /// `nonce` 12 that were never used with this key. Throws `invalidLength` for others.
  package static func seal(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let context = try CipherContext.begin(.encrypt, key: key, nonce: nonce, associatedData: associatedData)
    guard let length = Int32(exactly: plaintext.count), plaintext.count <= lengthMaximum else {
      throw .invalidLength
    }
    var sealed = [UInt8](repeating: 0, count: plaintext.count + tagLength)
    try context.update(&sealed, plaintext, length)
    try context.finishEncryption(&sealed, tagAt: plaintext.count)
    return sealed
  }

  /// Decrypts what `seal` made. Throws `authenticationFailed` where one bit differs or the tag is not whole.
  package static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let context = try CipherContext.begin(.decrypt, key: key, nonce: nonce, associatedData: associatedData)
    guard sealed.count >= tagLength else { throw .authenticationFailed }
    let count = sealed.count - tagLength
    guard let length = Int32(exactly: count), count <= lengthMaximum else { throw .invalidLength }
    var plaintext = [UInt8](repeating: 0, count: count)
    try context.update(&plaintext, sealed, length)
    do throws(CryptoError) {
      try context.finishDecryption(tag: Array(sealed[count...]))
    } catch {
      // What was decrypted under a wrong tag is nobody's to see.
      plaintext.cleanse()
      throw error
    }
    return plaintext
  }
}

/// Owns one EVP_CIPHER_CTX.
@safe
private struct CipherContext: ~Copyable {
  enum Direction: Int32 { case decrypt, encrypt }

  private let pointer: OpaquePointer

  private init(takingOwnershipOf pointer: OpaquePointer?) throws(CryptoError) {
    unsafe self.pointer = try OpenSSLResult.check(pointer, "EVP_CIPHER_CTX_new")
  }

  /// A context that has been given everything but the text.
  static func begin(
    _ direction: Direction, key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptoError) -> CipherContext {
    guard nonce.count == AESGCM.nonceLength, let associatedLength = Int32(exactly: associatedData.count)
    else {
      throw .invalidLength
    }
    let cipher: OpenSSLConstant
    switch key.count {
    case 16: cipher = try Algorithms.aes128GCM.get()
    case 32: cipher = try Algorithms.aes256GCM.get()
    default: throw .invalidLength
    }
    let context = unsafe try CipherContext(takingOwnershipOf: EVP_CIPHER_CTX_new())
    let initialized = unsafe EVP_CipherInit_ex2(
      context.pointer, cipher.pointer, key, nonce, direction.rawValue, nil)
    try OpenSSLResult.check(initialized, "EVP_CipherInit_ex2")
    if associatedLength > 0 {
      var written: Int32 = 0
      let updated = unsafe EVP_CipherUpdate(context.pointer, nil, &written, associatedData, associatedLength)
      try OpenSSLResult.check(updated, "EVP_CipherUpdate")
    }
    return context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

  /// The first `length` octets of `input`, through the cipher, to the start of `output`.
  func update(_ output: inout [UInt8], _ input: [UInt8], _ length: Int32) throws(CryptoError) {
    guard length > 0 else { return }
    var written: Int32 = 0
    let result = unsafe EVP_CipherUpdate(pointer, &output, &written, input, length)
    try OpenSSLResult.check(result, "EVP_CipherUpdate")
  }

  func finishEncryption(_ sealed: inout [UInt8], tagAt offset: Int) throws(CryptoError) {
    var written: Int32 = 0
    var nothing: UInt8 = 0
    try OpenSSLResult.check(unsafe EVP_CipherFinal_ex(pointer, &nothing, &written), "EVP_CipherFinal_ex")
    let tagLength = Int32(AESGCM.tagLength)
    let result = unsafe sealed.withUnsafeMutableBytes { sealed in
      unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, tagLength, sealed.baseAddress! + offset)
    }
    try OpenSSLResult.check(result, "EVP_CTRL_AEAD_GET_TAG")
  }

  func finishDecryption(tag: [UInt8]) throws(CryptoError) {
    var tag = tag
    let set = unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
    try OpenSSLResult.check(set, "EVP_CTRL_AEAD_SET_TAG")
    var written: Int32 = 0
    var nothing: UInt8 = 0
    guard unsafe EVP_CipherFinal_ex(pointer, &nothing, &written) == 1 else {
      OpenSSLResult.drain()
      throw .authenticationFailed
    }
  }
}
