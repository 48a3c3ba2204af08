import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("VAPID tokens (RFC 8292)")
struct VAPIDTokenTests {
  @Test("a signed token verifies and says what was signed")
  func roundTrip() throws {
    let key = try VAPIDKeyPair.generate()
    let token = try VAPIDToken.signed(
      audience: "https://push.example.net", expiresAt: 1_453_523_768,
      subject: "mailto:push@example.com", by: key)
    let claims = try VAPIDToken.verify(authorization: token.authorization)
    #expect(claims.audience == "https://push.example.net")
    #expect(claims.expiresAt == 1_453_523_768)
    #expect(claims.subject == "mailto:push@example.com")
    #expect(claims.publicKey == key.publicKey)
  }
}
