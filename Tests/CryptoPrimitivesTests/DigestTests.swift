import CryptoPrimitives
import Testing

@Suite("SHA-256, HMAC and HKDF")
struct DigestTests {
  @Test(
    "the digests that FIPS 180-4 gives as examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func digest(text: String, digest: String) {
    #expect(Hex.encode(SHA256.digest(Array(text.utf8))) == digest)
  }

  @Test("the second test case of RFC 4231")
  func authenticate() {
    let tag = HMACSHA256.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(Hex.encode(tag) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("keys that padding makes equal give equal tags (RFC 2104 §2)")
  func paddedKeys() {
    let message = Array("message".utf8)
    let zeros = [UInt8](repeating: 0, count: 64)
    #expect(HMACSHA256.authenticate(message, key: []) == HMACSHA256.authenticate(message, key: zeros))
    let long = [UInt8](repeating: 5, count: 65)
    #expect(
      HMACSHA256.authenticate(message, key: long)
        == HMACSHA256.authenticate(message, key: SHA256.digest(long)))
  }

  @Test("the first test case of RFC 5869")
  func hkdf() throws {
    let prk = HKDFSHA256.extract(
      salt: (0...12).map(UInt8.init), inputKeyMaterial: [UInt8](repeating: 0x0b, count: 22))
    #expect(Hex.encode(prk) == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
    let okm = try HKDFSHA256.expand(pseudorandomKey: prk, info: (0xf0...0xf9).map(UInt8.init), length: 42)
    #expect(
      Hex.encode(okm)
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
  }

  @Test("output is as long as wanted up to 255 blocks", arguments: [0, 1, 31, 32, 33, 8160])
  func lengths(length: Int) throws {
    let prk = [UInt8](repeating: 1, count: 32)
    let longest = try HKDFSHA256.expand(pseudorandomKey: prk, info: [], length: HKDFSHA256.lengthMaximum)
    let okm = try HKDFSHA256.expand(pseudorandomKey: prk, info: [], length: length)
    #expect(okm == Array(longest.prefix(length)))
  }

  @Test("a longer output and one of less than nothing are refused", arguments: [8161, -1, Int.max, Int.min])
  func lengthRefused(length: Int) {
    #expect(throws: CryptoError.invalidLength) {
      try HKDFSHA256.expand(pseudorandomKey: [1], info: [], length: length)
    }
  }

  @Test("the algorithms are there")
  func prepare() throws {
    try Algorithms.prepare()
    #expect(SHA256.digest([]).count == SHA256.length)
  }
}
