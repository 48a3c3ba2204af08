import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("Web Push messages (RFC 8291)")
struct WebPushMessageTests {
  @Test("the limits are those of the RFC")
  func limits() {
    #expect(WebPushMessage.headerLength == 86)
    #expect(WebPushMessage.plaintextLengthMaximum == 4096 - 86 - 17)
    #expect(WebPushMessage.plaintextLengthMaximum == 3993)
  }

  @Test("a body has exactly the wanted length and decrypts", arguments: [103, 104, 256, 1024, 4095, 4096])
  func bodyLength(length: Int) throws {
    let pair = try UserAgentKeyPair.generate()
    for plaintextLength in [0, 1, length - WebPushMessage.overhead]
    where plaintextLength <= length - WebPushMessage.overhead {
      let plaintext = RandomOctets.system(plaintextLength)
      let body = try WebPushMessage.encrypt(plaintext, for: pair.keys, bodyLength: length)
      #expect(body.count == length)
      #expect(try WebPushMessage.decrypt(body, with: pair) == plaintext)
    }
  }

  @Test("a plaintext that does not fit, and a length that no message has, are refused")
  func tooLong() throws {
    let keys = try UserAgentKeyPair.generate().keys
    let plaintext = [UInt8](repeating: 1, count: 154)
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 153)) {
      try WebPushMessage.encrypt(plaintext, for: keys, bodyLength: 256)
    }
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 3993)) {
      try WebPushMessage.encrypt([UInt8](repeating: 1, count: 3994), for: keys, bodyLength: 4096)
    }
    for length in [Int.min, -1, 0, 102, 4097, Int.max] {
      #expect(throws: WebPushCryptoError.bodyLength) {
        try WebPushMessage.encrypt([], for: keys, bodyLength: length)
      }
    }
  }

  @Test("the inner function refuses what would be no single record of at most 4096 octets with its header")
  func inner() throws {
    let keys = try UserAgentKeyPair.generate().keys
    let asPrivate = try P256PrivateKey.generate()
    let salt = RandomOctets.system(16)
    func encrypt(_ length: Int, padding: Int = 0, recordSize: Int = 4096, salt: [UInt8]) throws -> [UInt8] {
      try WebPushMessage.encrypt(
        [UInt8](repeating: 1, count: length), for: keys, salt: salt, asPrivate: asPrivate, padding: padding,
        recordSize: recordSize)
    }
    #expect(try encrypt(3993, salt: salt).count == 4096)
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 3993)) { try encrypt(3994, salt: salt) }
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 3992)) {
      try encrypt(3993, padding: 1, salt: salt)
    }
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 0)) {
      try encrypt(1, padding: .max, salt: salt)
    }
    #expect(throws: WebPushCryptoError.paddingLength) { try encrypt(1, padding: -1, salt: salt) }
    #expect(throws: WebPushCryptoError.plaintextTooLong(maximum: 1)) {
      try encrypt(2, recordSize: 18, salt: salt)
    }
    #expect(throws: WebPushCryptoError.recordSizeTooSmall) { try encrypt(0, recordSize: 17, salt: salt) }
    #expect(throws: WebPushCryptoError.saltLength) { try encrypt(0, salt: [1]) }
  }

  @Test("a body is salt, record size, a fresh point and one record that ends in 0x02 and zeros")
  func form() throws {
    let pair = try UserAgentKeyPair.generate()
    let plaintext = Array(#"{"v":1}"#.utf8)
    let body = try WebPushMessage.encrypt(plaintext, for: pair.keys, bodyLength: 256)
    #expect(Array(body[16..<20]) == [0, 0, 0x10, 0])
    #expect(body[20] == 65)
    #expect(body[21] == 0x04)
    let asPublic = try P256PublicKey(uncompressed: Array(body[21..<86]))
    #expect(asPublic != pair.keys.uaPublic)
    let secrets = try WebPushSecrets(
      privateKey: pair.uaPrivate, peer: asPublic, authSecret: pair.keys.authSecret,
      uaPublic: pair.keys.uaPublic, asPublic: asPublic)
    let keys = try EncryptedContentKeys(
      inputKeyMaterial: secrets.ikm.octets, salt: Array(body[..<16]))
    let content = try AESGCM.open(
      Array(body[86...]), key: keys.cek.octets, nonce: keys.nonce, associatedData: [])
    #expect(content == plaintext + [0x02] + [UInt8](repeating: 0, count: 256 - 86 - 17 - plaintext.count))
  }

  @Test("salt and key pair are fresh for every message, and the size tells nothing")
  func fresh() throws {
    let pair = try UserAgentKeyPair.generate()
    var salts: Set<[UInt8]> = []
    var points: Set<[UInt8]> = []
    for number in 0..<200 {
      let plaintext = [UInt8](repeating: 1, count: number % 154)
      let body = try WebPushMessage.encrypt(plaintext, for: pair.keys, bodyLength: 256)
      #expect(body.count == 256)
      salts.insert(Array(body[..<16]))
      points.insert(Array(body[21..<86]))
    }
    #expect(salts.count == 200)
    #expect(points.count == 200)
  }

  @Test("a message to one user agent opens with no other key and no other secret")
  func otherKeys() throws {
    let pair = try UserAgentKeyPair.generate()
    let body = try WebPushMessage.encrypt([1], for: pair.keys, bodyLength: 256)
    #expect(throws: WebPushCryptoError.authenticationFailed) {
      try WebPushMessage.decrypt(body, with: .generate())
    }
    #expect(throws: WebPushCryptoError.authenticationFailed) {
      try WebPushMessage.decrypt(
        body, uaPrivate: pair.uaPrivate, authSecret: [UInt8](repeating: 1, count: 16))
    }
  }

  @Test("one bit changed anywhere in a body is refused")
  func oneBit() throws {
    let pair = try UserAgentKeyPair.generate()
    let body = try WebPushMessage.encrypt([1, 2, 3], for: pair.keys, bodyLength: 110)
    // The record size is not authenticated: a larger or smaller one that still holds the record is legal.
    for index in body.indices where !(16..<20).contains(index) {
      var changed = body
      changed[index] ^= 0x01
      #expect(throws: WebPushCryptoError.self, "octet \(index)") {
        try WebPushMessage.decrypt(changed, with: pair)
      }
    }
  }

  @Test(
    "every record size that holds the record is taken, and none below it", arguments: [24, 25, 4096, 65_536])
  func recordSizes(recordSize: Int) throws {
    let pair = try UserAgentKeyPair.generate()
    var body = try WebPushMessage.encrypt([1, 2, 3], for: pair.keys, bodyLength: 110)
    body.replaceSubrange(
      16..<20, with: [0, 1, 2, 3].map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) })
    #expect(try WebPushMessage.decrypt(body, with: pair) == [1, 2, 3])
    body.replaceSubrange(16..<20, with: [0, 0, 0, 23])
    #expect(throws: WebPushCryptoError.notOneRecord) { try WebPushMessage.decrypt(body, with: pair) }
  }

  @Test("no prefix of a body opens, nor anything shorter than a header")
  func truncated() throws {
    let pair = try UserAgentKeyPair.generate()
    let body = try WebPushMessage.encrypt([], for: pair.keys, bodyLength: 256)
    for length in 0..<body.count {
      #expect(throws: WebPushCryptoError.self) {
        try WebPushMessage.decrypt(Array(body.prefix(length)), with: pair)
      }
    }
  }
}
