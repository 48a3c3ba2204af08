import CryptoPrimitives
import Testing

@Suite("Base64url")
struct Base64URLTests {
  static let examples: [(text: String, encoded: String)] = [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("the examples of RFC 4648 §10, without padding", arguments: examples)
  func example(text: String, encoded: String) {
    #expect(Base64URL.encode(Array(text.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(text.utf8))
  }

  @Test("every length from 0 to 100 octets is read back as it was written")
  func roundTrip() {
    for length in 0...100 {
      let octets = RandomOctets.system(length)
      let encoded = Base64URL.encode(octets)
      #expect(Base64URL.decode(encoded) == octets)
      #expect(Base64URL.decodeEitherAlphabet(encoded) == octets)
    }
  }

  @Test("all 256 octets use both special characters of the alphabet")
  func everyOctet() {
    let octets = (0...255).map(UInt8.init)
    let encoded = Base64URL.encode(octets)
    #expect(encoded.contains("-") && encoded.contains("_"))
    #expect(!encoded.contains("+") && !encoded.contains("/") && !encoded.contains("="))
    #expect(Base64URL.decode(encoded) == octets)
  }

  @Test(
    "what is not canonical base64url is refused",
    arguments: [
      "A", "AAAAA", "Zg==", "Zg=", "Zm8=", "-+", "+-AA", "+/AA", "Z g", " Zg", "Zg ", "Zg\n", "Z\ng", "Zg\0",
      "Zé8",
      "=", "====", "Zm9v=", "Zh", "Zm9", "Z１",
    ])
  func refused(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("of the 64 characters that may end two or three, only those without stray bits are taken")
  func strayBits() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for (value, character) in alphabet.enumerated() {
      #expect((Base64URL.decode("A\(character)") != nil) == (value % 16 == 0))
      #expect((Base64URL.decode("AA\(character)") != nil) == (value % 4 == 0))
      #expect((Base64URL.decodeEitherAlphabet("A\(character)==") != nil) == (value % 16 == 0))
      #expect((Base64URL.decodeEitherAlphabet("AA\(character)=") != nil) == (value % 4 == 0))
    }
  }

  @Test(
    "four spellings of one value are read alike",
    arguments: ["-_-_-w", "-_-_-w==", "+/+/+w==", "+/+/+w"])
  func eitherAlphabet(text: String) {
    #expect(Base64URL.decodeEitherAlphabet(text) == [0xfb, 0xff, 0xbf, 0xfb])
  }

  @Test(
    "mixed alphabets, white space, and padding that is wrong or inside are refused",
    arguments: [
      "-_+/", "+_AA", "-/AA", "-_-_-w=", "-_-_-w===", "-_-_-w====", "Zm9v=", "Zm9v==", "Zm9v====", "=", "==",
      "===", "====", "A===", "Zg==Zg==", "Z=g=", "=Zg=", "Zm=v", "Zg= =", "Zg==\n", "Zg\n==", " Zg==",
      "Z\tg=",
      "Zh==", "Zm9=", "A", "Zm9vA",
    ])
  func eitherAlphabetRefused(text: String) {
    #expect(Base64URL.decodeEitherAlphabet(text) == nil)
  }
}

@Suite("Hexadecimal")
struct HexTests {
  @Test("octets are written in lower case and read in either")
  func roundTrip() {
    #expect(Hex.encode([0x00, 0x0f, 0xa5, 0xff]) == "000fa5ff")
    #expect(Hex.decode("000FA5ff") == [0x00, 0x0f, 0xa5, 0xff])
    #expect(Hex.decode("") == [])
  }

  @Test("half an octet and other characters are refused", arguments: ["0", "0g", "0x00", " 00", "０0"])
  func refused(text: String) {
    #expect(Hex.decode(text) == nil)
  }
}
