import COpenSSL

/// Opens many short texts that `AESGCM` sealed under one key of 256 bits (NIST SP 800-38D), one after the other, over one
/// context that is made once and keeps the key's schedule as long as it lives. One thread at a time has it.
@safe
package struct AESGCMOpener: ~Copyable {
  /// Octets of the key.
  package static let keyLength = 32

  private let context: CipherHandle

  /// Makes what `open` uses. Throws `invalidLength` for another key than one of 32 octets.
  package init(key: [UInt8]) throws(CryptoError) {
    guard key.count == Self.keyLength else { throw .invalidLength }
    let context = try CipherHandle()
    let cipher = try Algorithms.aes256GCM.get()
    let begun = unsafe EVP_DecryptInit_ex2(context.pointer, cipher.pointer, key, nil, nil)
    try OpenSSLResult.check(begun, "EVP_DecryptInit_ex2")
    self.context = context
  }

  /// The plaintext of `sealed`, which is a nonce of 12 octets, the ciphertext and the tag of 16. Throws
  /// `authenticationFailed` where one bit differs or something is missing.
  package func open(_ sealed: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
    let (before, after) = (AESGCM.nonceLength, AESGCM.tagLength)
    guard sealed.count >= before + after else { throw .authenticationFailed }
    guard sealed.count <= AESGCM.lengthMaximum, let associatedLength = Int32(exactly: associatedData.count)
    else { throw .invalidLength }
    let length = Int32(sealed.count - before - after)
    try OpenSSLResult.check(
      unsafe EVP_DecryptInit_ex2(context.pointer, nil, nil, sealed, nil), "EVP_DecryptInit_ex2")
    var plaintext = [UInt8](repeating: 0, count: Int(length))
    let isWhole = unsafe sealed.withUnsafeBufferPointer { sealed in
      unsafe plaintext.withUnsafeMutableBufferPointer { plaintext in
        let content = unsafe sealed.baseAddress! + before
        // OpenSSL reads the tag and takes it as one that it may write to.
        let tag = unsafe UnsafeMutableRawPointer(mutating: content + Int(length))
        var (written, nothing): (Int32, UInt8) = (0, 0)
        return unsafe EVP_DecryptUpdate(context.pointer, nil, &written, associatedData, associatedLength) == 1
          && EVP_DecryptUpdate(context.pointer, plaintext.baseAddress, &written, content, length) == 1
          && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(after), tag) == 1
          && EVP_DecryptFinal_ex(context.pointer, &nothing, &written) == 1
      }
    }
    guard isWhole else {
      OpenSSLResult.drain()
      // What was decrypted under a wrong tag is nobody's to see.
      plaintext.cleanse()
      throw .authenticationFailed
    }
    return plaintext
  }
}
