import CryptoPrimitives
import Testing

@Suite("scrypt (RFC 7914)")
struct ScryptTests {
  @Test(
    "the test vectors of RFC 7914 §12",
    arguments: [
      (
        "", "", 16, 1, 1,
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", 1_024, 8, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 16_384, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ] as [(String, String, Int64, Int64, Int64, String)])
  func vectors(
    passphrase: String, salt: String, cost: Int64, blockSize: Int64, parallelization: Int64, key: String
  ) throws {
    let parameters = try #require(
      Scrypt.Parameters(cost: cost, blockSize: blockSize, parallelization: parallelization))
    let derived = try Scrypt.deriveKey(
      passphrase: SecretOctets(Array(passphrase.utf8)), salt: Array(salt.utf8), parameters: parameters,
      length: 64)
    #expect(Hex.encode(derived.octets) == key)
  }

  @Test(
    "parameters that are none, or that cost too much, are refused",
    arguments: [
      (0, 8, 1), (1, 8, 1), (3, 8, 1), (-2, 8, 1), (Int64.min, 8, 1), (1 << 62, 8, 1), (1_048_576, 8, 1),
      (16, 0, 1), (16, -1, 1), (16, Int64.max, 1), (16, 8, 0), (16, 8, 17), (16, 8, Int64.max),
    ] as [(Int64, Int64, Int64)])
  func refused(cost: Int64, blockSize: Int64, parallelization: Int64) {
    #expect(
      Scrypt.Parameters(cost: cost, blockSize: blockSize, parallelization: parallelization) == nil)
  }

  @Test("what the service itself uses derives, and so does the most that is taken")
  func largest() throws {
    #expect(Scrypt.Parameters(cost: 131_072, blockSize: 8, parallelization: 1) == .recommended)
    let most = try #require(Scrypt.Parameters(cost: 524_288, blockSize: 8, parallelization: 1))
    for parameters in [.recommended, most] {
      let key = try Scrypt.deriveKey(
        passphrase: SecretOctets([1]), salt: [], parameters: parameters, length: 32)
      #expect(key.count == 32)
    }
  }

  @Test("SHA-256 of pieces is SHA-256 of the whole", arguments: [[], [0], [1, 63, 64, 65], [100_000, 1]])
  func pieces(lengths: [Int]) {
    var running = RunningSHA256()
    var whole: [UInt8] = []
    for length in lengths {
      let piece = [UInt8](repeating: UInt8(length & 0xFF), count: length)
      running.update(piece)
      whole += piece
    }
    #expect(running.finish() == SHA256.digest(whole))
  }
}
