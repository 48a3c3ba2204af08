import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("VAPID tokens (RFC 8292 §2)")
struct VAPIDTokenTests {
  private static let audience = "https://push.example.net"

  /// The three parts of a token's `t`, decoded.
  private static func parts(of token: VAPIDToken) throws -> [[UInt8]] {
    let t = try #require(token.authorization.firstMatch(of: /^vapid t=([^,]+), k=[A-Za-z0-9_-]{87}$/)).1
    return try t.split(separator: ".", omittingEmptySubsequences: false).map {
      try #require(Base64URL.decode(String($0)))
    }
  }

  @Test("a token says what was signed, in this form and no other")
  func form() throws {
    let key = try VAPIDKeyPair.generate()
    let token = try VAPIDToken.signed(
      audience: Self.audience, expiresAt: 1_453_523_768, subject: "mailto:push@example.com", by: key)
    let parts = try Self.parts(of: token)
    #expect(parts.count == 3)
    #expect(String(decoding: parts[0], as: UTF8.self) == #"{"typ":"JWT","alg":"ES256"}"#)
    #expect(
      String(decoding: parts[1], as: UTF8.self)
        == #"{"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}"#)
    #expect(parts[2].count == 64)
    #expect(token.authorization.hasSuffix(", k=\(key.publicKey)"))
    #expect(token.expiresAt == 1_453_523_768)
    let claims = try VAPIDToken.verify(authorization: token.authorization)
    #expect(claims.audience == Self.audience)
    #expect(claims.expiresAt == 1_453_523_768)
    #expect(claims.subject == "mailto:push@example.com")
    #expect(claims.publicKey == key.publicKey)
  }

  @Test("without a subject there is no sub")
  func noSubject() throws {
    let token = try VAPIDToken.signed(
      audience: Self.audience, expiresAt: 1_453_523_768, subject: nil, by: .generate())
    let claims = String(decoding: try Self.parts(of: token)[1], as: UTF8.self)
    #expect(claims == #"{"aud":"https://push.example.net","exp":1453523768}"#)
    #expect(try VAPIDToken.verify(authorization: token.authorization).subject == nil)
  }

  @Test(
    "a subject of any characters arrives as it was given",
    arguments: [
      "mailto:a\"b\\c@example.com", "https://example.com/\u{2}\u{1}\u{1f}\n\r\t\u{8}", "mailto:ü@exämple.org",
      "mailto:😀", "\u{2028}\u{7f}/", String(repeating: "x", count: 1024),
      String(repeating: "\u{1}", count: 400),
    ])
  func subjects(subject: String) throws {
    let token = try VAPIDToken.signed(
      audience: Self.audience, expiresAt: 1, subject: subject, by: .generate())
    #expect(try VAPIDToken.verify(authorization: token.authorization).subject == subject)
  }

  @Test("a subject that is empty or too long is refused", arguments: [0, 1025, 100_000])
  func badSubject(length: Int) {
    #expect(throws: WebPushCryptoError.subject) {
      try VAPIDToken.signed(
        audience: Self.audience, expiresAt: 1, subject: String(repeating: "x", count: length),
        by: .generate())
    }
  }

  @Test(
    "an origin is signed as it is",
    arguments: [
      "https://h", "https://h.example", "https://h:8443", "http://h:8080", "http://h", "http://h:443",
      "https://h:80", "https://127.0.0.1:8443", "https://[::1]", "https://[2001:db8::1]:8443",
      "https://xn--bcher-kva.example", "https://a_b.example", "https://h:65535", "https://h:1",
    ])
  func audiences(audience: String) throws {
    let token = try VAPIDToken.signed(audience: audience, expiresAt: 1, subject: nil, by: .generate())
    #expect(try VAPIDToken.verify(authorization: token.authorization).audience == audience)
  }

  @Test(
    "an aud with a path, a default port, upper case or anything else that is no origin is refused",
    arguments: [
      "", "h", "https://", "https://h/", "https://h/a", "https://h/a?b", "https://h?b", "https://h#f",
      "https://h:443", "http://h:80", "https://h:", "https://h:0", "https://h:08443", "https://h:65536",
      "https://h:99999999999999999999", "https://h:a", "https://h:８443", "https://H", "HTTPS://h",
      "https://u@h", "https://u:p@h", "https://h h", " https://h", "https://h\n", "https://h\"",
      "https://hé", "https://[::1", "https://[]", "https://::1", "https://[::1]a", "https://[::1]:443",
      "https://[fe80::1%25eth0]", "wss://h", "ftp://h", "mailto:h", "https:h", "https:///h", "https://:8443",
    ])
  func badAudience(audience: String) {
    #expect(throws: WebPushCryptoError.audience) {
      try VAPIDToken.signed(audience: audience, expiresAt: 1, subject: nil, by: .generate())
    }
  }

  @Test("an expiry that is not above zero is refused", arguments: [0, -1, Int64.min])
  func badExpiry(expiry: Int64) {
    #expect(throws: WebPushCryptoError.expiry) {
      try VAPIDToken.signed(audience: Self.audience, expiresAt: expiry, subject: nil, by: .generate())
    }
  }

  @Test("the largest expiry is an integer too")
  func largestExpiry() throws {
    let token = try VAPIDToken.signed(
      audience: Self.audience, expiresAt: .max, subject: nil, by: .generate())
    #expect(try VAPIDToken.verify(authorization: token.authorization).expiresAt == .max)
  }

  @Test("5,000 tokens have signatures of 64 octets, and all verify")
  func signatureLength() throws {
    let key = try VAPIDKeyPair.generate()
    for number in 1...5_000 {
      let token = try VAPIDToken.signed(
        audience: Self.audience, expiresAt: Int64(number), subject: nil, by: key)
      let signature = token.authorization.dropLast(", k=".count + 87).split(separator: ".").last ?? ""
      #expect(Base64URL.decode(String(signature))?.count == 64)
      #expect(try VAPIDToken.verify(authorization: token.authorization).expiresAt == Int64(number))
    }
  }

  @Test(
    "a private key with leading zero octets keeps them, and its tokens verify", arguments: [1, 2, 31])
  func leadingZeros(count: Int) throws {
    let scalar = [UInt8](repeating: 0, count: count) + [UInt8](repeating: 7, count: 32 - count)
    let key = try VAPIDKeyPair(privateScalar: scalar)
    #expect(key.privateScalar.octets == scalar)
    #expect(key.publicKey.count == 87)
    #expect(Base64URL.decode(key.publicKey)?.count == 65)
    let token = try VAPIDToken.signed(audience: Self.audience, expiresAt: 1, subject: nil, by: key)
    #expect(try VAPIDToken.verify(authorization: token.authorization).publicKey == key.publicKey)
  }

  @Test("2,000 generated pairs have lengths 32 and 65 and pair")
  func generatedPairs() throws {
    for _ in 0..<2_000 {
      let key = try VAPIDKeyPair.generate()
      #expect(key.privateScalar.count == 32)
      #expect(Base64URL.decode(key.publicKey)?.count == 65)
      #expect(try VAPIDKeyPair(privateScalar: key.privateScalar.octets).publicKey == key.publicKey)
    }
  }

  @Test("a private key of another length or out of range is refused", arguments: [0, 31, 33])
  func badPrivateKey(length: Int) {
    #expect(throws: WebPushCryptoError.privateKey) {
      try VAPIDKeyPair(privateScalar: [UInt8](repeating: 1, count: length))
    }
    #expect(throws: WebPushCryptoError.privateKey) {
      try VAPIDKeyPair(privateScalar: [UInt8](repeating: 0, count: 32))
    }
  }
}
