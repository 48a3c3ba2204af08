import CryptoPrimitives
import Testing

@Suite("ES256 signatures (RFC 7518 §3.4)")
struct SignatureTests {
  private static let message = Array("message".utf8)
  private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

  @Test("5,000 signatures have 64 octets each and verify, those with a leading zero too")
  func length() throws {
    let pair = try P256PrivateKey.generate()
    let receivedKey = try P256PublicKey(uncompressed: pair.publicKey.uncompressed)
    var leadingZeros = 0
    for number in 0..<5_000 {
      let message = Array("message \(number)".utf8)
      let signature = try pair.signature(for: message)
      #expect(signature.count == 64)
      #expect(receivedKey.isValidSignature(signature, for: message))
      if signature[0] == 0 || signature[32] == 0 { leadingZeros += 1 }
    }
    // 39 are expected; none would mean that this test looks at the wrong octets.
    #expect(leadingZeros > 0)
  }

  @Test("another message, another key and one changed bit do not verify")
  func changed() throws {
    let pair = try P256PrivateKey.generate()
    let signature = try pair.signature(for: Self.message)
    #expect(!pair.publicKey.isValidSignature(signature, for: Self.message + [0]))
    #expect(!(try P256PrivateKey.generate().publicKey.isValidSignature(signature, for: Self.message)))
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!pair.publicKey.isValidSignature(changed, for: Self.message))
    }
  }

  @Test("what is not two numbers from 1 to n - 1 in 64 octets does not verify")
  func malformed() throws {
    let pair = try P256PrivateKey.generate()
    let signature = try pair.signature(for: Self.message)
    let r = Array(signature[..<32])
    let s = Array(signature[32...])
    let zero = [UInt8](repeating: 0, count: 32)
    let order = try #require(Hex.decode(Self.order))
    let malformed: [[UInt8]] = [
      [], zero + zero, zero + s, r + zero, order + s, r + order, Array(signature.dropLast()),
      signature + [0], [0] + signature, s + r, [UInt8](repeating: 0xff, count: 64),
    ]
    for signature in malformed {
      #expect(!pair.publicKey.isValidSignature(signature, for: Self.message))
    }
  }
}
