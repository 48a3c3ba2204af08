internal import CryptoPrimitives

/// Encrypts messages (RFC 8291) one after the other, over OpenSSL's objects and memory that are made once: two
/// multiplications on P-256, five HMACs and one record. `WebPushMessage.encryptByEVP` makes the same octets from the same
/// salt and key. One thread at a time has it, and no secret of a message stays in it.
struct MessageWorkspace: ~Copyable {
  private var agreement: AgreementWorkspace
  private var hmac: HMACWorkspace
  private let cipher: AESGCMWorkspace
  private var salts = SaltStock()
  private var keyInfo = keyInfoPrefix
  /// Pseudorandom keys, the input keying material, the content encryption key and the nonce: each is what one HMAC
  /// gives, since nothing longer than a digest is derived (RFC 5869 §2.3), and what is shorter is its beginning.
  private var prk = [UInt8](repeating: 0, count: SHA256.length)
  private var ikm = [UInt8](repeating: 0, count: SHA256.length)
  private var cek = [UInt8](repeating: 0, count: SHA256.length)
  private var nonce = [UInt8](repeating: 0, count: SHA256.length)

  init() throws(CryptoError) {
    // Nothing throws once a member is set: Swift cannot yet undo half of a value that is not copied.
    let agreement = try AgreementWorkspace()
    let hmac = try HMACWorkspace()
    let cipher = try AESGCMWorkspace()
    self.agreement = agreement
    self.hmac = hmac
    self.cipher = cipher
    keyInfo.reserveCapacity(Self.keyInfoPrefix.count + 2 * P256PublicKey.length + 1)
  }

  /// The body of `message` to `keys`.
  mutating func encrypt(
    _ message: borrowing MessageForm, for keys: UserAgentKeys, _ secrets: MessageSecrets
  ) throws(CryptoError) -> [UInt8] {
    defer { cleanse() }
    let salt: [UInt8]
    switch secrets {
    case .fresh:
      salt = salts.next()
      try agreement.agree(with: keys.uaPublic)
    case .given(let asPrivate, let given):
      salt = given
      try agreement.agree(with: keys.uaPublic, as: asPrivate)
    }
    try derive(salt, keys)
    var body = message.body(salt: salt, keyid: agreement.publicKey)
    try cipher.seal(&body, from: WebPushMessage.headerLength, key: cek, nonce: nonce)
    return body
  }

  /// RFC 8291 §3.4, then RFC 8188 §2.2 and §2.3.
  private mutating func derive(_ salt: [UInt8], _ keys: UserAgentKeys) throws(CryptoError) {
    keyInfo.removeLast(keyInfo.count - Self.keyInfoPrefix.count)
    keyInfo += keys.uaPublic.uncompressed
    keyInfo += agreement.publicKey
    keyInfo.append(Self.firstBlock)
    try hmac.authenticate(agreement.secret, key: keys.authSecret.octets, into: &prk)
    try hmac.authenticate(keyInfo, key: prk, into: &ikm)
    try hmac.authenticate(ikm, key: salt, into: &prk)
    try hmac.authenticate(Self.cekInfo, key: prk, into: &cek)
    try hmac.authenticate(Self.nonceInfo, key: prk, into: &nonce)
  }

  private mutating func cleanse() {
    agreement.cleanse()
    hmac.cleanse()
    cipher.cleanse()
    prk.cleanse()
    ikm.cleanse()
    cek.cleanse()
    nonce.cleanse()
  }

  /// The number of HKDF's first block, which is the only one.
  private static let firstBlock: UInt8 = 1
  private static let keyInfoPrefix = WebPushSecrets.keyInfoPrefix
  private static let cekInfo = EncryptedContentKeys.cekInfo + [firstBlock]
  private static let nonceInfo = EncryptedContentKeys.nonceInfo + [firstBlock]
}
