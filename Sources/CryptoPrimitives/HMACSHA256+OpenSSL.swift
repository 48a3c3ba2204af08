import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
  /// Octets of a tag.
  package static let length = SHA256.length

  /// The tag of `message` under `key`, which may have any length. Ends the process where OpenSSL has no HMAC,
  /// which `Algorithms.prepare` finds at start.
  package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    do throws(CryptoError) {
      let context = try MACContext()
      return try context.authenticate(message, key: key)
    } catch {
      preconditionFailure("HMAC with SHA-256 failed: \(error)")
    }
  }
}

/// Owns one EVP_MAC_CTX.
@safe
private struct MACContext: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(CryptoError) {
    let template = try Algorithms.hmacSHA256.get()
    unsafe pointer = try OpenSSLResult.check(EVP_MAC_CTX_dup(template.pointer), "EVP_MAC_CTX_dup")
  }

  deinit { unsafe EVP_MAC_CTX_free(pointer) }

  func authenticate(_ message: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    // RFC 2104 §2 pads the key with zeros: an empty key is the key of one zero. OpenSSL takes an empty one
    // for "keep the key that is set".
    let key = key.isEmpty ? [0] : key
    try OpenSSLResult.check(unsafe EVP_MAC_init(pointer, key, key.count, nil), "EVP_MAC_init")
    try OpenSSLResult.check(unsafe EVP_MAC_update(pointer, message, message.count), "EVP_MAC_update")
    var tag = [UInt8](repeating: 0, count: HMACSHA256.length)
    var length = 0
    try OpenSSLResult.check(unsafe EVP_MAC_final(pointer, &tag, &length, tag.count), "EVP_MAC_final")
    return tag
  }
}
