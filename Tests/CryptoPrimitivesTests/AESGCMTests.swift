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
      for associatedData in [[], random(1), random(300)] {
        let plaintext = random(length)
        let sealed = try AESGCM.seal(plaintext, key: key, nonce: nonce, associatedData: associatedData)
        #expect(sealed.count == length + AESGCM.tagLength)
        #expect(
          try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: associatedData) == plaintext)
      }
    }
  }

  @Test("one bit changed anywhere is refused")
  func oneBit() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 2, count: 12)
    let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: nonce, associatedData: [9])
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      refuse(changed, key: key, nonce: nonce, associatedData: [9])
    }
    var otherKey = key
    otherKey[31] ^= 1
    refuse(sealed, key: otherKey, nonce: nonce, associatedData: [9])
    var otherNonce = nonce
    otherNonce[0] ^= 1
    refuse(sealed, key: key, nonce: otherNonce, associatedData: [9])
    refuse(sealed, key: key, nonce: nonce, associatedData: [8])
    refuse(sealed, key: key, nonce: nonce, associatedData: [])
    for length in 0..<sealed.count {
      refuse(Array(sealed.prefix(length)), key: key, nonce: nonce, associatedData: [9])
    }
  }

  private func refuse(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]) {
    #expect(throws: CryptoError.authenticationFailed) {
      try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: associatedData)
    }
  }

  @Test(
    "other lengths of key and nonce are refused both ways",
    arguments: [
      (0, 12), (15, 12), (17, 12), (24, 12), (31, 12), (33, 12), (16, 0), (16, 11), (16, 13), (32, 16),
    ])
  func lengths(keyLength: Int, nonceLength: Int) {
    let key = [UInt8](repeating: 1, count: keyLength)
    let nonce = [UInt8](repeating: 1, count: nonceLength)
    #expect(throws: CryptoError.invalidLength) {
      try AESGCM.seal([1], key: key, nonce: nonce, associatedData: [])
    }
    #expect(throws: CryptoError.invalidLength) {
      try AESGCM.open([UInt8](repeating: 0, count: 17), key: key, nonce: nonce, associatedData: [])
    }
  }
}
