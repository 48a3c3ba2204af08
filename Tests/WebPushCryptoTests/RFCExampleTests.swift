import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("The RFCs' own examples")
struct RFCExampleTests {
  @Test("RFC 8291 §5 is made byte for byte, by way of every value of appendix A")
  func message() throws {
    let example = try RFCExamples.read().rfc8291
    let asPrivate = try P256PrivateKey(scalar: example.as_private.octets)
    let uaPrivate = try P256PrivateKey(scalar: example.ua_private.octets)
    #expect(asPrivate.publicKey.uncompressed == example.as_public.octets)
    #expect(uaPrivate.publicKey.uncompressed == example.ua_public.octets)
    let keys = try UserAgentKeys(uaPublic: uaPrivate.publicKey, authSecret: example.auth.octets)

    let secrets = try WebPushSecrets(
      privateKey: asPrivate, peer: keys.uaPublic, authSecret: keys.authSecret, uaPublic: keys.uaPublic,
      asPublic: asPrivate.publicKey)
    #expect(secrets.ikm.octets == example.ikm.octets)
    let contentKeys = try EncryptedContentKeys(
      inputKeyMaterial: secrets.ikm.octets, salt: example.salt.octets)
    #expect(contentKeys.cek.octets == example.cek.octets)
    #expect(contentKeys.nonce == example.nonce.octets)

    for (name, encrypt) in BothWaysTests.ways {
      let body = try encrypt(example.plaintext.octets, keys, example.salt.octets, asPrivate, 0, 4_096)
      #expect(body == example.body.octets, "\(name)")
    }
    #expect(
      try WebPushMessage.decrypt(
        example.body.octets, uaPrivate: uaPrivate, authSecret: example.auth.octets)
        == example.plaintext.octets)
    #expect(String(decoding: example.plaintext.octets, as: UTF8.self).hasPrefix("When I grow up"))
  }

  @Test("RFC 8188 §3.1 is made byte for byte and read back")
  func oneRecord() throws {
    let example = try #require(try RFCExamples.read().rfc8188.first)
    #expect(example.section == "3.1")
    let header = try EncryptedContentHeader(readingFrom: example.body.octets)
    #expect(header.recordSize == 4096)
    #expect(header.keyid.isEmpty)
    let plaintext = Array(example.plaintext.utf8)
    #expect(
      try EncryptedContentEncoding.encode(
        plaintext, header: header, inputKeyMaterial: example.key.octets) == example.body.octets)
    let decoded = try EncryptedContentEncoding.decode(example.body.octets) { _ in example.key.octets }
    #expect(decoded == plaintext)
  }

  @Test("RFC 8188 §3.2, two records of which the first is padded, is made byte for byte and read back")
  func twoRecords() throws {
    let example = try #require(try RFCExamples.read().rfc8188.last)
    #expect(example.section == "3.2")
    let header = try EncryptedContentHeader(readingFrom: example.body.octets)
    #expect(header.recordSize == example.rs)
    #expect(header.keyid == Array(try #require(example.keyid).utf8))
    let plaintext = Array(example.plaintext.utf8)
    let records = [
      EncryptedContentEncoding.Record(Array(plaintext[..<7]), padding: 1),
      EncryptedContentEncoding.Record(Array(plaintext[7...])),
    ]
    #expect(
      try EncryptedContentEncoding.encode(records, header: header, inputKeyMaterial: example.key.octets)
        == example.body.octets)
    let decoded = try EncryptedContentEncoding.decode(example.body.octets) { asked in
      #expect(asked == header)
      return example.key.octets
    }
    #expect(decoded == plaintext)
  }

  @Test("RFC 8292 §2.4 verifies and says what it says there")
  func token() throws {
    let example = try RFCExamples.read().rfc8292
    let claims = try VAPIDToken.verify(authorization: "vapid t=\(example.t), k=\(example.k)")
    #expect(claims.audience == example.claims.aud)
    #expect(claims.expiresAt == example.claims.exp)
    #expect(claims.subject == example.claims.sub)
    #expect(claims.publicKey == example.k)
  }

  @Test("a token of ours has the header and the claims of RFC 8292 §2.4, octet for octet")
  func sameTokenBeforeSignature() throws {
    let example = try RFCExamples.read().rfc8292
    let token = try VAPIDToken.signed(
      audience: example.claims.aud, expiresAt: example.claims.exp, subject: example.claims.sub,
      by: .generate())
    let signed = example.t.prefix(upTo: try #require(example.t.lastIndex(of: ".")))
    #expect(token.authorization.hasPrefix("vapid t=\(signed)."))
  }
}
