package import CryptoPrimitives

/// The content encryption key and the base of the nonces that input keying material and salt give
/// (RFC 8188 §2.2 and §2.3).
package struct EncryptedContentKeys: Sendable {
  /// The content encryption key, 16 octets.
  package let cek: SecretOctets
  /// The nonce of record 0, 12 octets.
  package let nonce: [UInt8]

  /// Derives both.
  package init(inputKeyMaterial ikm: [UInt8], salt: [UInt8]) throws(WebPushCryptoError) {
    var prk = HKDFSHA256.extract(salt: salt, inputKeyMaterial: ikm)
    defer { prk.cleanse() }
    do throws(CryptoError) {
      var cek = try HKDFSHA256.expand(pseudorandomKey: prk, info: Self.cekInfo, length: Self.cekLength)
      defer { cek.cleanse() }
      self.cek = SecretOctets(cek)
      nonce = try HKDFSHA256.expand(
        pseudorandomKey: prk, info: Self.nonceInfo, length: AESGCM.nonceLength)
    } catch {
      throw WebPushCryptoError(error)
    }
  }

  /// The nonce of the record with number `sequence`: the number, big-endian in 96 bits, is added without carry
  /// (RFC 8188 §2.3).
  func nonce(ofRecord sequence: Int) -> [UInt8] {
    var nonce = nonce
    for octet in 0..<MemoryLayout<Int>.size {
      nonce[nonce.count - 1 - octet] ^= UInt8(truncatingIfNeeded: sequence >> (8 * octet))
    }
    return nonce
  }

  private static let cekLength = 16
  static let cekInfo = Array("Content-Encoding: aes128gcm\0".utf8)
  static let nonceInfo = Array("Content-Encoding: nonce\0".utf8)
}
