import CryptoPrimitives
import Testing

@Suite("P-256 private keys")
struct P256PrivateKeyTests {
  /// The order of the base point (SEC 2 §2.4.2), which is n.
  private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
  private static let message = Array("message".utf8)

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

  @Test("a scalar keeps its leading zero octets and its key signs and agrees", arguments: [0, 1, 2, 31])
  func leadingZeros(count: Int) throws {
    let scalar = [UInt8](repeating: 0, count: count) + [UInt8](repeating: 0x42, count: 32 - count)
    let pair = try P256PrivateKey(scalar: scalar)
    #expect(pair.scalar.octets == scalar)
    #expect(pair.publicKey.uncompressed.count == 65)
    let receivedKey = try P256PublicKey(uncompressed: pair.publicKey.uncompressed)
    #expect(receivedKey.isValidSignature(try pair.signature(for: Self.message), for: Self.message))
    let peer = try P256PrivateKey.generate()
    #expect(try pair.sharedSecret(with: peer.publicKey) == peer.sharedSecret(with: receivedKey))
  }

  @Test("1 gives the base point, and n - 1 its negative")
  func edges() throws {
    let one = try P256PrivateKey(scalar: [UInt8](repeating: 0, count: 31) + [1])
    #expect(Hex.encode(one.publicKey.uncompressed) == P256PublicKeyTests.base)
    var last = try #require(Hex.decode(Self.order))
    last[31] -= 1
    let negative = try P256PrivateKey(scalar: last).publicKey.uncompressed
    #expect(negative.prefix(33) == one.publicKey.uncompressed.prefix(33))
    #expect(negative != one.publicKey.uncompressed)
  }

  @Test(
    "0, n and more, and other lengths than 32 are refused",
    arguments: [
      "", "01", String(repeating: "00", count: 32), String(repeating: "00", count: 31),
      "00" + String(repeating: "01", count: 32), String(repeating: "01", count: 31), order,
      String(order.dropLast()) + "2", String(repeating: "ff", count: 32),
    ])
  func refused(hex: String) throws {
    let scalar = try #require(Hex.decode(hex))
    #expect(throws: CryptoError.invalidScalar) { try P256PrivateKey(scalar: scalar) }
  }

  @Test("two pairs agree on one secret of 32 octets, and a pair on one with itself")
  func agreement() throws {
    let one = try P256PrivateKey.generate()
    let other = try P256PrivateKey.generate()
    let secret = try one.sharedSecret(with: other.publicKey)
    #expect(secret.count == 32)
    #expect(try other.sharedSecret(with: one.publicKey) == secret)
    #expect(try one.sharedSecret(with: one.publicKey).count == 32)
    #expect(try one.sharedSecret(with: one.publicKey) != secret)
  }

  @Test("a shared secret keeps its leading zero octets")
  func leadingZerosOfSecrets() throws {
    let one = try P256PrivateKey.generate()
    var found = 0
    // One in 256 begins with a zero: that none of 5,000 does has a chance of 3 in a thousand million.
    for _ in 0..<5_000 where found == 0 {
      let other = try P256PrivateKey.generate()
      let secret = try one.sharedSecret(with: other.publicKey)
      guard secret[0] == 0 else { continue }
      found += 1
      #expect(secret.count == 32)
      #expect(try other.sharedSecret(with: one.publicKey) == secret)
    }
    #expect(found == 1)
  }

  @Test("one pair is used by several tasks at once")
  func concurrentUse() async throws {
    let pair = try P256PrivateKey.generate()
    let peer = try P256PrivateKey.generate()
    let secret = try pair.sharedSecret(with: peer.publicKey)
    let allAgree = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let signature = try pair.signature(for: Self.message)
            guard pair.publicKey.isValidSignature(signature, for: Self.message) else { return false }
            guard try pair.sharedSecret(with: peer.publicKey) == secret else { return false }
            guard try peer.sharedSecret(with: pair.publicKey) == secret else { return false }
            guard pair.scalar.count == 32 else { return false }
          }
          return true
        }
      }
      return try await group.allSatisfy { $0 }
    }
    #expect(allAgree)
  }
}
