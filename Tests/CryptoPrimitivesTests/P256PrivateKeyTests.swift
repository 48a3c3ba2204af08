import CryptoPrimitives
import Testing

@Suite("P-256 private keys")
struct P256PrivateKeyTests {
  @Test("2,000 generated pairs have 32 and 65 octets and pair")
  func generatedPairs() throws {
    for _ in 0..<2_000 {
      let pair = try P256PrivateKey.generate()
      let again = try P256PrivateKey(scalar: pair.scalar.octets)
      #expect(pair.scalar.count == 32)
      #expect(pair.publicKey.uncompressed.count == 65)
      #expect(again.publicKey == pair.publicKey)
      #expect(again.scalar == pair.scalar)
    }
  }

  @Test("5,000 signatures have 64 octets each and verify")
  func signatures() throws {
    let pair = try P256PrivateKey.generate()
    let receivedKey = try P256PublicKey(uncompressed: pair.publicKey.uncompressed)
    for number in 0..<5_000 {
      let message = Array("message \(number)".utf8)
      let signature = try pair.signature(for: message)
      #expect(signature.count == 64)
      #expect(receivedKey.isValidSignature(signature, for: message))
    }
  }

  @Test("two pairs agree on one secret of 32 octets")
  func agreement() throws {
    let one = try P256PrivateKey.generate()
    let other = try P256PrivateKey.generate()
    let secret = try one.sharedSecret(with: other.publicKey)
    #expect(secret.count == 32)
    #expect(try other.sharedSecret(with: one.publicKey) == secret)
    #expect(try one.sharedSecret(with: one.publicKey) != secret)
  }
}
