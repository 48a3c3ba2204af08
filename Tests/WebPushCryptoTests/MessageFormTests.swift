import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("The form of a message, seen without its keys (RFC 8188 §2.1, RFC 8291 §4)")
struct MessageFormTests {
  private let body: [UInt8]
  private let keyid: [UInt8]

  init() throws {
    body = try WebPushMessage.encrypt([1, 2, 3], for: UserAgentKeyPair.generate().keys, bodyLength: 256)
    keyid = try P256PrivateKey.generate().publicKey.uncompressed
  }

  /// A body of these parts. Nobody decrypts it, so that its record may hold anything.
  private func made(recordSize: Int = 4_096, keyid: [UInt8]? = nil, record: Int = 170) throws -> [UInt8] {
    let salt = [UInt8](repeating: 7, count: 16)
    let header = try EncryptedContentHeader(salt: salt, recordSize: recordSize, keyid: keyid ?? self.keyid)
    return header.octets + [UInt8](repeating: 9, count: record)
  }

  @Test("what the sender makes is in order, and so are the shortest and the fullest record")
  func inOrder() throws {
    try WebPushMessage.checkForm(of: body)
    try WebPushMessage.checkForm(of: made(record: 17))
    try WebPushMessage.checkForm(of: made(recordSize: 170, record: 170))
    #expect(try made().count == body.count)
  }

  @Test("each fault is told apart")
  func faults() throws {
    var offCurve = keyid
    offCurve[64] ^= 1
    let cases: [([UInt8], WebPushCryptoError)] = [
      ([], .truncated), (Array(body.prefix(20)), .truncated), (Array(body.prefix(85)), .truncated),
      (Array(body.prefix(86)), .truncated), (try made(record: 16), .truncated),
      (Array(repeating: 0, count: 256), .recordSizeTooSmall), (try made(keyid: []), .keyidLength),
      (try made(keyid: Array(keyid.dropLast())), .keyidLength), (try made(keyid: offCurve), .keyidNotAPoint),
      (try made(keyid: [UInt8](repeating: 0, count: 65)), .keyidNotAPoint),
      (try made(recordSize: 169, record: 170), .notOneRecord),
    ]
    for (body, error) in cases {
      #expect(throws: error) { try WebPushMessage.checkForm(of: body) }
    }
  }
}
