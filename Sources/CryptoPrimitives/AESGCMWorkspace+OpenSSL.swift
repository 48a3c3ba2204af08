import COpenSSL

/// AES-128-GCM (NIST SP 800-38D) for many short texts one after the other, over one context that is made once. One
/// thread at a time has it.
@safe
package struct AESGCMWorkspace: ~Copyable {
  /// Octets of a key.
  package static let keyLength = 16
  private static let noKey = [UInt8](repeating: 0, count: keyLength)

  private let context: CipherHandle

  /// Makes what `seal` uses.
  package init() throws(CryptoError) {
    let context = try CipherHandle()
    let cipher = try Algorithms.aes128GCM.get()
    let begun = unsafe EVP_EncryptInit_ex2(context.pointer, cipher.pointer, nil, nil, nil)
    try OpenSSLResult.check(begun, "EVP_EncryptInit_ex2")
    self.context = context
  }

  /// Encrypts what stands in `text` from `start` on, where it stands, and appends the tag. The key is the first 16
  /// octets of `key`, the nonce the first 12 of `nonce`, which were never used together. Throws `invalidLength` where
  /// there are fewer.
  package func seal(
    _ text: inout [UInt8], from start: Int, key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) {
    guard key.count >= Self.keyLength, nonce.count >= AESGCM.nonceLength, text.indices.contains(start),
      text.count <= AESGCM.lengthMaximum
    else { throw .invalidLength }
    let length = Int32(text.count - start)
    text.append(contentsOf: repeatElement(0, count: AESGCM.tagLength))
    try OpenSSLResult.check(
      unsafe EVP_EncryptInit_ex2(context.pointer, nil, key, nonce, nil), "EVP_EncryptInit_ex2")
    var written: Int32 = 0
    let isSealed = unsafe text.withUnsafeMutableBufferPointer { text in
      let content = unsafe text.baseAddress! + start
      let tag = unsafe content + Int(length)
      return unsafe EVP_EncryptUpdate(context.pointer, content, &written, content, length) == 1
        && EVP_EncryptFinal_ex(context.pointer, tag, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagLength), tag) == 1
    }
    guard isSealed else { throw OpenSSLResult.failure("EVP_EncryptUpdate") }
  }

  /// Overwrites the last key's schedule with that of a key of zeros.
  package func cleanse() {
    if unsafe EVP_EncryptInit_ex2(context.pointer, nil, Self.noKey, nil, nil) != 1 { OpenSSLResult.drain() }
  }
}
