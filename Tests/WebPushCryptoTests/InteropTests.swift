import CryptoPrimitives
import TestSupport
import Testing
import WebPushCrypto

/// `Fixtures/webpush-interop/webpush_interop.json`: bodies from fixed keys, checked with other implementations.
private struct InteropVectors: Codable {
  struct Case: Codable {
    enum Expectation: String, Codable { case ok, fail }
    struct Intermediate: Codable {
      var ecdh_secret, ikm, cek, nonce: Octets
    }
    var id: Int
    var name, note: String
    var ua_private, ua_public, auth, as_private, as_public, salt: Octets
    var rs, pad: Int
    var plaintext, body: Octets
    var body_length: Int
    var expect: Expectation
    var deterministic_encrypt: Bool
    var intermediate: Intermediate
    var http_ece_python, http_ece_node: String
  }

  var _about: String
  var cases: [Case]

  static func read() throws -> [Case] {
    try StrictDecoding.decode(
      InteropVectors.self, from: Fixtures.data("webpush-interop/webpush_interop.json")
    ).cases
  }
}

@Suite("Web Push messages made by others")
struct InteropTests {
  @Test("every good body is made byte for byte, by way of every intermediate value, and decrypted")
  func good() throws {
    let cases = try InteropVectors.read().filter { $0.expect == .ok }
    #expect(cases.count == 11)
    for vector in cases {
      let comment = Comment(rawValue: "\(vector.id) \(vector.name)")
      let asPrivate = try P256PrivateKey(scalar: vector.as_private.octets)
      let uaPrivate = try P256PrivateKey(scalar: vector.ua_private.octets)
      #expect(asPrivate.publicKey.uncompressed == vector.as_public.octets, comment)
      #expect(uaPrivate.publicKey.uncompressed == vector.ua_public.octets, comment)
      let keys = try UserAgentKeys(uaPublic: uaPrivate.publicKey, authSecret: vector.auth.octets)
      let secrets = try WebPushSecrets(
        privateKey: asPrivate, peer: keys.uaPublic, authSecret: keys.authSecret, uaPublic: keys.uaPublic,
        asPublic: asPrivate.publicKey)
      #expect(secrets.ecdhSecret.octets == vector.intermediate.ecdh_secret.octets, comment)
      #expect(secrets.ikm.octets == vector.intermediate.ikm.octets, comment)
      let contentKeys = try EncryptedContentKeys(
        inputKeyMaterial: secrets.ikm.octets, salt: vector.salt.octets)
      #expect(contentKeys.cek.octets == vector.intermediate.cek.octets, comment)
      #expect(contentKeys.nonce == vector.intermediate.nonce.octets, comment)

      for (name, encrypt) in BothWaysTests.ways {
        let body = try encrypt(
          vector.plaintext.octets, keys, vector.salt.octets, asPrivate, vector.pad, vector.rs)
        #expect(body == vector.body.octets, "\(comment), \(name)")
        #expect(body.count == vector.body_length, "\(comment), \(name)")
      }
      #expect(
        try WebPushMessage.decrypt(
          vector.body.octets, uaPrivate: uaPrivate, authSecret: vector.auth.octets)
          == vector.plaintext.octets, comment)
    }
  }

  /// What each bad body is refused for, by the vector's number.
  private static let refusals: [Int: WebPushCryptoError] = [
    17: .authenticationFailed, 20: .truncated, 21: .truncated, 23: .authenticationFailed,
    25: .authenticationFailed, 26: .authenticationFailed, 27: .keyidNotAPoint, 28: .recordSizeTooSmall,
    29: .recordSizeTooSmall, 32: .keyidLength, 34: .badDelimiter, 35: .badDelimiter, 37: .notOneRecord,
  ]

  @Test("every bad body is refused for what is wrong with it")
  func bad() throws {
    let cases = try InteropVectors.read().filter { $0.expect == .fail }
    #expect(Set(cases.map(\.id)) == Set(Self.refusals.keys))
    for vector in cases {
      let pair = try UserAgentKeyPair(
        uaPrivate: P256PrivateKey(scalar: vector.ua_private.octets), authSecret: vector.auth.octets)
      let error = #expect(throws: WebPushCryptoError.self, "\(vector.id) \(vector.name)") {
        try WebPushMessage.decrypt(vector.body.octets, with: pair)
      }
      #expect(error == Self.refusals[vector.id], "\(vector.id) \(vector.name)")
    }
  }

  @Test("what may not be sent is not made either")
  func notMade() throws {
    let cases = try InteropVectors.read().filter { $0.expect == .fail && $0.deterministic_encrypt }
    #expect(cases.map(\.id) == [28, 29, 37])
    for vector in cases {
      let uaPrivate = try P256PrivateKey(scalar: vector.ua_private.octets)
      let keys = try UserAgentKeys(uaPublic: uaPrivate.publicKey, authSecret: vector.auth.octets)
      let asPrivate = try P256PrivateKey(scalar: vector.as_private.octets)
      for (name, encrypt) in BothWaysTests.ways {
        let error = #expect(throws: WebPushCryptoError.self, "\(vector.id) \(vector.name), \(name)") {
          try encrypt(vector.plaintext.octets, keys, vector.salt.octets, asPrivate, vector.pad, vector.rs)
        }
        #expect(error == (vector.id == 37 ? .plaintextTooLong(maximum: 99) : .recordSizeTooSmall))
      }
    }
  }
}
