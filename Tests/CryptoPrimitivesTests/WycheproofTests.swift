import CryptoPrimitives
import TestSupport
import Testing

@Suite("Wycheproof")
struct WycheproofTests {
  static func path(_ name: String) -> String { "wycheproof/\(name).json" }

  @Test("AES-GCM", .enabled(if: Vectors.has(path("aes_gcm_test")), "\(Vectors.absent)"))
  func aesGCM() throws {
    struct Group: Codable {
      struct Case: Codable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var key, iv, aad, msg, ct, tag: HexOctets
        var result: WycheproofResult
      }
      var ivSize, keySize, tagSize: Int
      var type: String
      var source: WycheproofSource
      var tests: [Case]
    }
    let file = try Wycheproof<Group>.read("aes_gcm_test")
    let workspace = try AESGCMWorkspace()
    var run = 0
    var inWorkspace = 0
    var refusedByLength = 0
    for group in file.testGroups {
      let isOurs = [128, 256].contains(group.keySize) && group.ivSize == 96 && group.tagSize == 128
      for test in group.tests {
        let (key, nonce, aad) = (test.key.octets, test.iv.octets, test.aad.octets)
        let sealed = test.ct.octets + test.tag.octets
        let opened = Result { () throws(CryptoError) in
          try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: aad)
        }
        guard isOurs else {
          #expect(opened == .failure(.invalidLength), "\(test.tcId)")
          refusedByLength += 1
          continue
        }
        run += 1
        if test.result == .valid {
          #expect(opened == .success(test.msg.octets), "\(test.tcId) \(test.comment)")
          #expect(
            try AESGCM.seal(test.msg.octets, key: key, nonce: nonce, associatedData: aad) == sealed,
            "\(test.tcId) \(test.comment)")
          guard group.keySize == 128, aad.isEmpty, !test.msg.octets.isEmpty else { continue }
          inWorkspace += 1
          var text = test.msg.octets
          try workspace.seal(&text, from: 0, key: key, nonce: nonce)
          #expect(text == sealed, "\(test.tcId) \(test.comment)")
        } else {
          #expect(opened == .failure(.authenticationFailed), "\(test.tcId) \(test.comment)")
        }
      }
    }
    report("AES-GCM", run: run, of: file.numberOfTests)
    #expect(run == 133)
    #expect(inWorkspace == 21)
    #expect(run + refusedByLength == file.numberOfTests)
  }

  @Test("HKDF with SHA-256", .enabled(if: Vectors.has(path("hkdf_sha256_test")), "\(Vectors.absent)"))
  func hkdf() throws {
    struct Group: Codable {
      struct Case: Codable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var ikm, salt, info: HexOctets
        var size: Int
        var okm: HexOctets
        var result: WycheproofResult
      }
      var type: String
      var source: WycheproofSource
      var keySize: Int
      var tests: [Case]
    }
    let file = try Wycheproof<Group>.read("hkdf_sha256_test")
    var run = 0
    for test in file.testGroups.flatMap(\.tests) {
      let prk = HKDFSHA256.extract(salt: test.salt.octets, inputKeyMaterial: test.ikm.octets)
      let okm = Result { () throws(CryptoError) in
        try HKDFSHA256.expand(pseudorandomKey: prk, info: test.info.octets, length: test.size)
      }
      let expected: Result<[UInt8], CryptoError> =
        test.result == .valid ? .success(test.okm.octets) : .failure(.invalidLength)
      #expect(okm == expected, "\(test.tcId) \(test.comment)")
      run += 1
    }
    report("HKDF", run: run, of: file.numberOfTests)
    #expect(run == 86)
    #expect(run == file.numberOfTests)
  }

  @Test("HMAC with SHA-256", .enabled(if: Vectors.has(path("hmac_sha256_test")), "\(Vectors.absent)"))
  func hmac() throws {
    struct Group: Codable {
      struct Case: Codable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var key, msg, tag: HexOctets
        var result: WycheproofResult
      }
      var keySize, tagSize: Int
      var type: String
      var source: WycheproofSource
      var tests: [Case]
    }
    let file = try Wycheproof<Group>.read("hmac_sha256_test")
    var workspace = try HMACWorkspace()
    var run = 0
    var inWorkspace = 0
    for group in file.testGroups {
      for test in group.tests {
        let tag = HMACSHA256.authenticate(test.msg.octets, key: test.key.octets).prefix(group.tagSize / 8)
        let isEqual = ConstantTime.equal(Array(tag), test.tag.octets)
        #expect(isEqual == (test.result == .valid), "\(test.tcId) \(test.comment)")
        run += 1
        guard test.key.octets.count <= HMACWorkspace.keyLengthMaximum else { continue }
        inWorkspace += 1
        var other = [UInt8](repeating: 0, count: HMACSHA256.length)
        try workspace.authenticate(test.msg.octets, key: test.key.octets, into: &other)
        #expect(other.starts(with: tag), "\(test.tcId): both ways, one answer")
      }
    }
    report("HMAC", run: run, of: file.numberOfTests)
    #expect(run == 174)
    #expect(inWorkspace == 168)
    #expect(run == file.numberOfTests)
  }

  @Test(
    "ECDSA on P-256 with SHA-256, r ‖ s",
    .enabled(if: Vectors.has(path("ecdsa_secp256r1_sha256_p1363_test")), "\(Vectors.absent)"))
  func ecdsa() throws {
    struct Group: Codable {
      struct Key: Codable {
        var type, curve: String
        var keySize: Int
        var uncompressed, wx, wy: HexOctets
      }
      struct Case: Codable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var msg, sig: HexOctets
        var result: WycheproofResult
      }
      var type: String
      var source: WycheproofSource
      var publicKey: Key
      var publicKeyDer: HexOctets
      var publicKeyPem: String
      var publicKeyJwk: [String: String]?
      var sha: String
      var tests: [Case]
    }
    let file = try Wycheproof<Group>.read("ecdsa_secp256r1_sha256_p1363_test")
    var run = 0
    for group in file.testGroups {
      let key = try P256PublicKey(uncompressed: group.publicKey.uncompressed.octets)
      for test in group.tests {
        let isValid = key.isValidSignature(test.sig.octets, for: test.msg.octets)
        #expect(isValid == (test.result == .valid), "\(test.tcId) \(test.comment)")
        run += 1
      }
    }
    report("ECDSA", run: run, of: file.numberOfTests)
    #expect(run == 262)
    #expect(run == file.numberOfTests)
  }

  /// Says how much of a file was run: a skipped case is said aloud.
  static func report(_ name: String, run: Int, of total: Int) {
    print("Wycheproof \(name): \(run) of \(total) cases run")
  }

  private func report(_ name: String, run: Int, of total: Int) { Self.report(name, run: run, of: total) }
}
