import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("Verification of VAPID tokens (RFC 8292 §3)")
struct VAPIDVerificationTests {
  private let key: VAPIDKeyPair
  private static let header = #"{"typ":"JWT","alg":"ES256"}"#
  private static let claims = #"{"aud":"https://h","exp":1}"#

  init() throws { key = try VAPIDKeyPair.generate() }

  /// A token of any header and claims, correctly signed.
  private func token(header: String = Self.header, claims: String = Self.claims) throws -> String {
    let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
    return "\(signed).\(Base64URL.encode(try key.key.signature(for: Array(signed.utf8))))"
  }

  private func verify(header: String = Self.header, claims: String = Self.claims) throws -> VAPIDClaims {
    try VAPIDToken.verify(
      authorization: "vapid t=\(token(header: header, claims: claims)), k=\(key.publicKey)")
  }

  @Test("the field's value is read in the forms that HTTP gives it")
  func forms() throws {
    let (t, k) = (try token(), key.publicKey)
    for value in [
      "vapid t=\(t), k=\(k)", "vapid t=\(t),k=\(k)", "vapid k=\(k), t=\(t)", "VAPID t=\(t), k=\(k)",
      "vapid T=\(t), K=\(k)", "vapid t=\(t) , k=\(k)", "vapid x=y, t=\(t), k=\(k)", "vapid  t=\(t), k=\(k)",
    ] {
      #expect(try VAPIDToken.verify(authorization: value).audience == "https://h")
    }
  }

  @Test("a value of another form is refused")
  func badForms() throws {
    let (t, k) = (try token(), key.publicKey)
    for value in [
      "", "vapid", "vapid ", "WebPush \(t)", "Bearer \(t)", "vapid\tt=\(t), k=\(k)", "vapidt=\(t), k=\(k)",
      " vapid t=\(t), k=\(k)", "vapid t=\(t)", "vapid k=\(k)", "vapid t=\(t); k=\(k)", "vapid t=\(t) k=\(k)",
      "vapid t=\(t), t=\(t), k=\(k)", "vapid t=\(t), k=\(k), K=\(k)", "vapid t=\(t), k=\(k),",
      "vapid t=\(t),, k=\(k)", "vapid t=, k=\(k)", "vapid t=\(t), k=", "vapid t = \(t), k=\(k)",
      "vapid t=\(t), k=\(k)\n", "vapid t=\(t), k=\(k)\u{0}", "vapid t=\(t), k=\(k)é", "vapid t=\(t), \(k)",
      "vapid x=\(String(repeating: "x", count: 4096)), t=\(t), k=\(k)",
    ] {
      #expect(throws: WebPushCryptoError.authorizationMalformed, "\(value)") {
        try VAPIDToken.verify(authorization: value)
      }
    }
  }

  @Test("a key that is no point, or not canonical base64url, is refused")
  func badKeys() throws {
    let (t, k) = (try token(), key.publicKey)
    for bad in ["\"\(k)\"", "\(k)=", String(k.dropLast()), "A" + k.dropFirst(), "\(k)A", "!"] {
      #expect(throws: WebPushCryptoError.tokenKey) {
        try VAPIDToken.verify(authorization: "vapid t=\(t), k=\(bad)")
      }
    }
  }

  @Test("a token that is not three canonical parts is refused")
  func badTokens() throws {
    let t = try token()
    for bad in ["\"\(t)\"", "\(t)=", "\(t).", ".\(t)", String(t.dropFirst()), "a.b", "...", "A"] {
      let error = #expect(throws: WebPushCryptoError.self) {
        try VAPIDToken.verify(authorization: "vapid t=\(bad), k=\(key.publicKey)")
      }
      #expect(error == .tokenMalformed || error == .tokenSignature)
    }
  }

  @Test("a token that another key signed, or that was changed, is refused")
  func badSignature() throws {
    let t = try token()
    let other = try VAPIDKeyPair.generate().publicKey
    #expect(throws: WebPushCryptoError.tokenSignature) {
      try VAPIDToken.verify(authorization: "vapid t=\(t), k=\(other)")
    }
    let parts = t.split(separator: ".")
    let claims = Base64URL.encode(Array(#"{"aud":"https://h","exp":2}"#.utf8))
    for changed in [
      "\(parts[0]).\(claims).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[1]).\(parts[0]).\(parts[2])",
      "\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))",
    ] {
      #expect(throws: WebPushCryptoError.tokenSignature) {
        try VAPIDToken.verify(authorization: "vapid t=\(changed), k=\(key.publicKey)")
      }
    }
  }

  @Test(
    "a signed header that is not that of an ES256 token is refused",
    arguments: [
      #"{"typ":"JWT","alg":"none"}"#, #"{"typ":"JWT","alg":"HS256"}"#, #"{"typ":"JWT"}"#, "{}", "",
      #"{"typ":"JWS","alg":"ES256"}"#, #"{"typ":"JWT","alg":"ES256","alg":"none"}"#, #"{"alg":["ES256"]}"#,
      #"{"alg":"es256"}"#,
    ])
  func badHeader(header: String) {
    #expect(throws: WebPushCryptoError.tokenMalformed) { try verify(header: header) }
  }

  @Test("a header may leave typ out and say more")
  func otherHeaders() throws {
    #expect(try verify(header: #"{"alg":"ES256"}"#).expiresAt == 1)
    #expect(try verify(header: #"{"alg":"ES256","kid":"1"}"#).expiresAt == 1)
  }

  @Test(
    "an exp that is not an integer above zero is refused",
    arguments: [
      #""1453523768""#, "1453523768.0", "1453523768.5", "1e9", "0", "-1", "null", "true",
    ])
  func badExpiry(exp: String) {
    #expect(throws: WebPushCryptoError.expiry) { try verify(claims: #"{"aud":"https://h","exp":\#(exp)}"#) }
  }

  @Test("claims that are missing or of another type are refused")
  func badClaims() {
    let faults: [(WebPushCryptoError, String)] = [
      (.expiry, #"{"aud":"https://h"}"#), (.audience, #"{"exp":1}"#), (.audience, #"{"aud":1,"exp":1}"#),
      (.audience, #"{"aud":"https://h/","exp":1}"#), (.subject, #"{"aud":"https://h","exp":1,"sub":1}"#),
      (.tokenMalformed, #"{"aud":["https://h"],"exp":1}"#), (.tokenMalformed, ""), (.tokenMalformed, "[]"),
      (.tokenMalformed, #"{"aud":"https://h","exp":1"#), (.tokenMalformed, #"{"aud":"https://h","exp":01}"#),
      (.tokenMalformed, #"{"aud":"https://h","aud":"https://i","exp":1}"#),
      (.tokenMalformed, #"{"aud":"https://h","exp":9223372036854775808}"#),
      (.tokenMalformed, #"{"aud":"https://h","exp":1,"x":"\ud800"}"#),
      (.tokenMalformed, #"{"aud":"https://h","\u0061ud":"https://h","exp":1}"#),
      (.tokenMalformed, String(repeating: "[", count: 1_000)),
      (.tokenMalformed, String(repeating: #"{"a":"#, count: 300)),
    ]
    for (error, claims) in faults {
      #expect(throws: error, "\(claims)") { try verify(claims: claims) }
    }
  }

  @Test("a push server takes a token for itself, unexpired, at most a day ahead")
  func acceptable() throws {
    let claims = try verify(claims: #"{"aud":"https://h","exp":100000}"#)
    #expect(claims.isAcceptable(audience: "https://h", atSeconds: 99_999))
    #expect(claims.isAcceptable(audience: "https://h", atSeconds: 100_000 - 86_400))
    #expect(!claims.isAcceptable(audience: "https://h", atSeconds: 100_000 - 86_401))
    #expect(!claims.isAcceptable(audience: "https://h", atSeconds: 100_000))
    #expect(!claims.isAcceptable(audience: "https://i", atSeconds: 99_999))
    #expect(!claims.isAcceptable(audience: "https://h", atSeconds: .max))
    #expect(!claims.isAcceptable(audience: "https://h", atSeconds: .min))
  }
}
