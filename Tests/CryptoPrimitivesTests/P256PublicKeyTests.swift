import CryptoPrimitives
import Testing

@Suite("P-256 public keys")
struct P256PublicKeyTests {
  /// The base point (SEC 2 §2.4.2).
  static let base =
    "04" + "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  private static let baseX = base.dropFirst(2).prefix(64)
  private static let baseY = base.suffix(64)
  /// The field's prime.
  private static let p = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
  private static let zero = String(repeating: "0", count: 64)
  /// A point whose x is small enough that x + p still fits 32 octets: x = 5 lies on the curve.
  private static let smallX = String(repeating: "0", count: 63) + "5"
  private static let smallXPlusP = "ffffffff00000001000000000000000000000001000000000000000000000004"
  private static let yOfSmallX = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"

  @Test(
    "points on the curve are taken and given back as they came",
    arguments: [base, "04\(smallX)\(yOfSmallX)"])
  func taken(hex: String) throws {
    let octets = try #require(Hex.decode(hex))
    #expect(try P256PublicKey(uncompressed: octets).uncompressed == octets)
  }

  static let refusals: [(name: String, hex: String)] = [
    ("nothing", ""),
    ("infinity in one octet", "00"),
    ("infinity in 65 octets", String(repeating: "0", count: 130)),
    ("compressed, even", "02\(baseX)"),
    ("compressed, odd", "03\(baseX)"),
    ("compressed and padded to 65 octets", "03\(baseX)\(zero)"),
    ("hybrid, even", "06\(baseX)\(baseY)"),
    ("hybrid, odd", "07\(baseX)\(baseY)"),
    ("another first octet", "05\(baseX)\(baseY)"),
    ("64 octets", String(base.dropLast(2))),
    ("66 octets", base + "00"),
    ("no first octet", String(base.dropFirst(2))),
    ("off the curve", String(base.dropLast()) + "4"),
    ("(0, 0)", "04\(zero)\(zero)"),
    ("x = p", "04\(p)\(baseY)"),
    ("y = p", "04\(baseX)\(p)"),
    ("x not reduced, y of the reduced one", "04\(smallXPlusP)\(yOfSmallX)"),
    ("all ones", "04" + String(repeating: "f", count: 128)),
    (
      "a point of secp256k1",
      "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
        + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
    ),
  ]

  @Test("whatever is not 65 octets of an uncompressed point on the curve is refused", arguments: refusals)
  func refused(name: String, hex: String) throws {
    let octets = try #require(Hex.decode(hex))
    #expect(throws: CryptoError.invalidPoint) { try P256PublicKey(uncompressed: octets) }
  }

  @Test("keys of the same point are equal and hash alike")
  func equality() throws {
    let octets = try #require(Hex.decode(Self.base))
    let other = try P256PrivateKey.generate().publicKey
    #expect(
      try Set([P256PublicKey(uncompressed: octets), P256PublicKey(uncompressed: octets), other]).count == 2)
  }
}
