import CryptoPrimitives
import Testing

@Suite("Secrets and randomness")
struct SecretOctetsTests {
  private let secret = SecretOctets([0xde, 0xad, 0xbe, 0xef])

  @Test("a secret equals one of the same octets and no other")
  func equality() {
    #expect(secret == SecretOctets([0xde, 0xad, 0xbe, 0xef]))
    #expect(secret != SecretOctets([0xde, 0xad, 0xbe, 0xee]))
    #expect(secret != SecretOctets([0xde, 0xad, 0xbe]))
    #expect(SecretOctets([]) == SecretOctets([]))
    #expect(secret.count == 4)
    #expect(secret.withOctets { $0 } == secret.octets)
  }

  @Test("no way of printing a secret, or what holds one, shows its octets")
  func redacted() throws {
    let pair = try P256PrivateKey.generate()
    for value in [secret, pair, pair.publicKey] as [any Sendable] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [
        "\(value)", String(reflecting: value), "\([value])", String(describing: Optional(value)), dumped,
      ] {
        #expect(text.contains("<redacted>"))
        #expect(!text.contains("222") && !text.contains("de, ") && !text.contains("deadbeef"))
        #expect(!text.contains("\(pair.publicKey.uncompressed[1...4])"))
      }
    }
  }

  @Test("a secret keeps its octets when the array that it was made of is overwritten")
  func ownCopy() {
    var octets: [UInt8] = [1, 2, 3]
    let secret = SecretOctets(octets)
    octets.cleanse()
    #expect(octets == [0, 0, 0])
    #expect(secret.octets == [1, 2, 3])
  }

  @Test("comparison in constant time is comparison", arguments: [0, 1, 16, 33])
  func constantTime(length: Int) {
    let octets = RandomOctets.system(length)
    #expect(ConstantTime.equal(octets, octets))
    #expect(!ConstantTime.equal(octets, octets + [0]))
    for index in octets.indices {
      var other = octets
      other[index] ^= 0x80
      #expect(!ConstantTime.equal(octets, other))
    }
  }

  @Test(
    "the system's randomness has the wanted length and does not repeat", arguments: [0, 1, 16, 32, 65_537])
  func random(length: Int) {
    let octets = RandomOctets.system(length)
    #expect(octets.count == length)
    #expect(length < 16 || octets != RandomOctets.system(length))
  }

  @Test("a source that is given is the one that is used")
  func givenSource() {
    let source = RandomOctets { [UInt8](repeating: 7, count: $0) }
    #expect(source(3) == [7, 7, 7])
  }

  @Test("a source that returns too little ends the process")
  func shortSource() async {
    await #expect(processExitsWith: .failure) {
      _ = RandomOctets { [UInt8](repeating: 0, count: $0 - 1) }(16)
    }
  }
}
