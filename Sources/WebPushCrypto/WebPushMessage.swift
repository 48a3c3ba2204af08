package import CryptoPrimitives

/// A push message (RFC 8291): one record of `aes128gcm` that only the user agent can open.
public enum WebPushMessage {
  /// The longest body that every push server takes (RFC 8030 §7.2, RFC 8291 §4).
  public static let bodyLengthMaximum = 4096
  /// Octets of the header: salt (16), rs (4), idlen (1) and the application server's public key (65).
  package static let headerLength = EncryptedContentHeader.lengthMinimum + P256PublicKey.length
  /// What a body holds besides plaintext and padding: 86 octets of header, a delimiter and a tag of 16.
  package static let overhead = headerLength + EncryptedContentEncoding.recordOverhead
  /// The longest plaintext: 4096 - 86 - 17 = 3993 octets (RFC 8291 §4).
  public static let plaintextLengthMaximum = bodyLengthMaximum - overhead
  /// The `rs` that is sent. Some user agents take no other.
  package static let recordSize = 4096

  /// Encrypts `plaintext` under a fresh salt and a fresh key pair, padded with zeros so that the body has exactly
  /// `bodyLength` octets. Throws `bodyLength` outside 103 to 4096 and `plaintextTooLong` where it does not fit.
  public static func encrypt(
    _ plaintext: [UInt8], for keys: UserAgentKeys, bodyLength: Int
  ) throws(WebPushCryptoError) -> [UInt8] {
    guard (overhead...bodyLengthMaximum).contains(bodyLength) else { throw .bodyLength }
    let room = bodyLength - overhead
    guard plaintext.count <= room else { throw .plaintextTooLong(maximum: room) }
    return try encrypt(
      MessageForm(plaintext, padding: room - plaintext.count, recordSize: recordSize), for: keys, .fresh)
  }

  /// Encrypts under a given salt of 16 octets and a given key pair, neither of which may be used for a second
  /// message. Plaintext and padding together have at most `plaintextLengthMaximum` octets and, with 17 more, at
  /// most `recordSize`.
  package static func encrypt(
    _ plaintext: [UInt8], for keys: UserAgentKeys, salt: [UInt8], asPrivate: P256PrivateKey, padding: Int,
    recordSize: Int = Self.recordSize
  ) throws(WebPushCryptoError) -> [UInt8] {
    guard salt.count == EncryptedContentHeader.saltLength else { throw .saltLength }
    return try encrypt(
      MessageForm(plaintext, padding: padding, recordSize: recordSize), for: keys,
      .given(asPrivate: asPrivate, salt: salt))
  }

  private static func encrypt(
    _ message: consuming MessageForm, for keys: UserAgentKeys, _ secrets: MessageSecrets
  ) throws(WebPushCryptoError) -> [UInt8] {
    do throws(CryptoError) {
      return try MessageWorkspaces.encrypt(message, for: keys, secrets)
    } catch {
      throw WebPushCryptoError(error)
    }
  }

  /// The same through OpenSSL's EVP interface, step by step as the RFCs have them: what the tests hold `encrypt` to.
  package static func encryptByEVP(
    _ plaintext: [UInt8], for keys: UserAgentKeys, salt: [UInt8], asPrivate: P256PrivateKey, padding: Int,
    recordSize: Int = Self.recordSize
  ) throws(WebPushCryptoError) -> [UInt8] {
    let header = try EncryptedContentHeader(
      salt: salt, recordSize: recordSize, keyid: asPrivate.publicKey.uncompressed)
    let message = try MessageForm(plaintext, padding: padding, recordSize: recordSize)
    let secrets = try WebPushSecrets(
      privateKey: asPrivate, peer: keys.uaPublic, authSecret: keys.authSecret,
      uaPublic: keys.uaPublic, asPublic: asPrivate.publicKey)
    return try EncryptedContentEncoding.encode(
      [EncryptedContentEncoding.Record(message.plaintext, padding: message.padding)], header: header,
      inputKeyMaterial: secrets.ikm.octets)
  }

  /// Decrypts a body for the user agent that owns `pair`. Throws by the kind of fault.
  public static func decrypt(
    _ body: [UInt8], with pair: UserAgentKeyPair
  ) throws(WebPushCryptoError) -> [UInt8] {
    try EncryptedContentEncoding.decode(body) { (header) throws(WebPushCryptoError) in
      guard header.keyid.count == P256PublicKey.length else { throw .keyidLength }
      guard let asPublic = try? P256PublicKey(uncompressed: header.keyid) else { throw .keyidNotAPoint }
      guard body.count - header.length <= header.recordSize else { throw .notOneRecord }
      return try WebPushSecrets(
        privateKey: pair.uaPrivate, peer: asPublic, authSecret: pair.keys.authSecret,
        uaPublic: pair.keys.uaPublic, asPublic: asPublic
      ).ikm.octets
    }
  }

  /// Decrypts a body with a user agent's private key and its authentication secret of 16 octets.
  package static func decrypt(
    _ body: [UInt8], uaPrivate: P256PrivateKey, authSecret: [UInt8]
  ) throws(WebPushCryptoError) -> [UInt8] {
    guard let pair = try? UserAgentKeyPair(uaPrivate: uaPrivate, authSecret: authSecret) else {
      throw .authenticationFailed
    }
    return try decrypt(body, with: pair)
  }
}
