import CryptoPrimitives
import Testing

@Suite("AES-GCM")
struct AESGCMTests {
  @Test("what was sealed is opened, for both key lengths", arguments: [16, 32])
  func roundTrip(keyLength: Int) throws {
    let random = RandomOctets.system
    let key = random(keyLength)
    let nonce = random(12)
    for length in [0, 1, 15, 16, 17, 4096] {
      let plaintext = random(length)
      let sealed = try AESGCM.seal(plaintext, key: key, nonce: nonce, associatedData: [1, 2])
      #expect(sealed.count == length + 16)
      #expect(try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: [1, 2]) == plaintext)
      #expect(throws: CryptoError.authenticationFailed) {
        try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: [1, 3])
      }
    }
  }
}
