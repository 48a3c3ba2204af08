import CryptoPrimitives
import TestSupport
import Testing

@Suite("Wycheproof: ECDH on P-256")
struct WycheproofAgreementTests {
  struct Group: Codable {
    struct Case: Codable {
      var tcId: Int
      var comment: String
      var flags: [String]
      var `public`, `private`, shared: HexOctets
      var result: WycheproofResult
    }
    var type: String
    var source: WycheproofSource
    var curve, encoding: String
    var tests: [Case]
  }

  /// What stands before the point in the public key of a P-256 key in DER (RFC 5480 §2).
  private static let subjectPublicKeyPrefix = "3059301306072a8648ce3d020106082a8648ce3d030107034200"

  @Test(
    "keys as points",
    .enabled(if: Vectors.has(WycheproofTests.path("ecdh_secp256r1_ecpoint_test")), "\(Vectors.absent)"))
  func points() throws {
    let file = try Wycheproof<Group>.read("ecdh_secp256r1_ecpoint_test")
    var run = 0
    var agreed = 0
    for test in file.testGroups.flatMap(\.tests) {
      if try check(test, point: test.public.octets) { agreed += 1 }
      run += 1
    }
    WycheproofTests.report("ECDH, points", run: run, of: file.numberOfTests)
    #expect(run == 355)
    #expect(run == file.numberOfTests)
    #expect(agreed == 330)
  }

  /// DER is not what this module reads. Where a key's DER is what a correct encoder writes, its point is taken out;
  /// where it is not, there is nothing to test.
  @Test(
    "keys in DER, as far as their frame is in order",
    .enabled(if: Vectors.has(WycheproofTests.path("ecdh_secp256r1_test")), "\(Vectors.absent)"))
  func subjectPublicKeys() throws {
    let file = try Wycheproof<Group>.read("ecdh_secp256r1_test")
    let prefix = try #require(Hex.decode(Self.subjectPublicKeyPrefix))
    var run = 0
    var agreed = 0
    for test in file.testGroups.flatMap(\.tests) where test.public.octets.starts(with: prefix) {
      if try check(test, point: Array(test.public.octets.dropFirst(prefix.count))) { agreed += 1 }
      run += 1
    }
    WycheproofTests.report("ECDH, DER", run: run, of: file.numberOfTests)
    #expect(run == 350)
    #expect(agreed == 330)
  }

  /// Runs one case; whether a secret was agreed on.
  private func check(_ test: Group.Case, point: [UInt8]) throws -> Bool {
    let key = try P256PrivateKey(scalar: scalar(test.private.octets))
    let secret = try? key.sharedSecret(with: P256PublicKey(uncompressed: point))
    var workspace = try AgreementWorkspace()
    let isAgreed = (try? workspace.agree(with: P256PublicKey(uncompressed: point), as: key)) != nil
    #expect((isAgreed ? workspace.secret : nil) == secret, "\(test.tcId): both ways, one answer")
    switch test.result {
    case .valid: #expect(secret == test.shared.octets, "\(test.tcId) \(test.comment)")
    case .invalid: #expect(secret == nil, "\(test.tcId) \(test.comment)")
    case .acceptable: #expect(secret == nil || secret == test.shared.octets, "\(test.tcId) \(test.comment)")
    }
    return secret != nil
  }

  /// The file writes scalars as signed numbers of any length; a scalar here has 32 octets.
  private func scalar(_ number: [UInt8]) -> [UInt8] {
    let digits = number.drop { $0 == 0 }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
