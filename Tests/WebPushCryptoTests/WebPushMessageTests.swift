import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("Web Push messages (RFC 8291)")
struct WebPushMessageTests {
  @Test("a body has exactly the wanted length and decrypts", arguments: [103, 104, 256, 1024, 4095, 4096])
  func bodyLength(_ length: Int) throws {
    let pair = try UserAgentKeyPair.generate()
    let plaintext = RandomOctets.system(min(10, length - WebPushMessage.overhead))
    let body = try WebPushMessage.encrypt(plaintext, for: pair.keys, bodyLength: length)
    #expect(body.count == length)
    #expect(try WebPushMessage.decrypt(body, with: pair) == plaintext)
  }
}
