package import CryptoPrimitives

/// The secrets of one message, from the agreement of two keys to the input keying material (RFC 8291 §3.3, §3.4).
/// Both sides derive the same.
package struct WebPushSecrets: Sendable {
  /// The x coordinate that both keys agree on, 32 octets.
  package let ecdhSecret: SecretOctets
  /// The input keying material of the content coding, 32 octets.
  package let ikm: SecretOctets

  /// Derives both. `privateKey` is one side's own, `peer` the other side's public key; `uaPublic` and `asPublic` are
  /// the same on both sides.
  package init(
    privateKey: P256PrivateKey, peer: P256PublicKey, authSecret: SecretOctets, uaPublic: P256PublicKey,
    asPublic: P256PublicKey
  ) throws(WebPushCryptoError) {
    do throws(CryptoError) {
      var ecdhSecret = try privateKey.sharedSecret(with: peer)
      defer { ecdhSecret.cleanse() }
      var prkKey = HKDFSHA256.extract(salt: authSecret.octets, inputKeyMaterial: ecdhSecret)
      defer { prkKey.cleanse() }
      let keyInfo = Self.keyInfoPrefix + uaPublic.uncompressed + asPublic.uncompressed
      var ikm = try HKDFSHA256.expand(pseudorandomKey: prkKey, info: keyInfo, length: Self.ikmLength)
      defer { ikm.cleanse() }
      self.ecdhSecret = SecretOctets(ecdhSecret)
      self.ikm = SecretOctets(ikm)
    } catch {
      throw WebPushCryptoError(error)
    }
  }

  private static let ikmLength = 32
  static let keyInfoPrefix = Array("WebPush: info\0".utf8)
}
