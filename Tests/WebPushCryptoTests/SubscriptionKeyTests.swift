import CryptoPrimitives
import TestSupport
import Testing
import WebPushCrypto

/// `Fixtures/subscription-keys/subscription_keys.json`: what clients send as keys.
private struct SubscriptionKeyVectors: Codable {
  struct Case: Codable {
    enum Field: String, Codable { case p256dh, auth }
    enum Expectation: String, Codable { case accept, reject }
    var field: Field
    var value: String
    var expect: Expectation
    var why: String
  }
  var _about: String
  var cases: [Case]
}

@Suite("Keys of a subscription (RFC 8291 §3)")
struct SubscriptionKeyTests {
  private static let goodP256dh =
    "BJ-thK6uCLvvfwEAFNgs72oJ3isM-HG1zgxPHROlmlk0B8tFdp8QcOLCRw_lsb_mMTPAsM3GTqS_N5Go7CoH_U8"
  private static let goodAuth = "AAECAwQFBgcICQoLDA0ODw"

  @Test("every vector is taken or refused as it says, by the member at fault, and kept in one form")
  func vectors() throws {
    let cases = try StrictDecoding.decode(
      SubscriptionKeyVectors.self, from: Fixtures.data("subscription-keys/subscription_keys.json")
    ).cases
    #expect(cases.count == 22)
    for vector in cases {
      let p256dh = vector.field == .p256dh ? vector.value : Self.goodP256dh
      let auth = vector.field == .auth ? vector.value : Self.goodAuth
      let comment = Comment(rawValue: "\(vector.field) \(vector.why)")
      let keys = Result { () throws(SubscriptionKeyError) in try UserAgentKeys(p256dh: p256dh, auth: auth) }
      switch (keys, vector.expect) {
      case (.success(let keys), .accept):
        #expect(keys.p256dh == Self.goodP256dh, comment)
        #expect(keys.auth == Self.goodAuth, comment)
      case (.failure(.p256dh(let reason)), .reject):
        #expect(vector.field == .p256dh, comment)
        #expect(vector.value.isEmpty || !reason.contains(vector.value), comment)
      case (.failure(.auth(let reason)), .reject):
        #expect(vector.field == .auth, comment)
        #expect(vector.value.isEmpty || !reason.contains(vector.value), comment)
      default: Issue.record(comment)
      }
    }
  }

  @Test("four spellings of a key with both special characters are one key, and each opens its message")
  func fourSpellings() throws {
    // One pair in four or so: both characters in the key, and one of them in the secret.
    var pair = try UserAgentKeyPair.generate()
    while !(pair.keys.p256dh.contains("-") && pair.keys.p256dh.contains("_")
      && pair.keys.auth.contains { "-_".contains($0) })
    {
      pair = try UserAgentKeyPair.generate()
    }
    let (p256dh, auth) = (pair.keys.p256dh, pair.keys.auth)
    let spellings = [
      (p256dh, auth), (p256dh + "=", auth + "=="), (standard(p256dh) + "=", standard(auth) + "=="),
      (standard(p256dh), standard(auth)),
    ]
    for (p256dh, auth) in spellings {
      let keys = try UserAgentKeys(p256dh: p256dh, auth: auth)
      #expect(keys == pair.keys)
      #expect(keys.hashValue == pair.keys.hashValue)
      #expect(keys.p256dh == pair.keys.p256dh)
      #expect(keys.auth == pair.keys.auth)
      let body = try WebPushMessage.encrypt([1, 2, 3], for: keys, bodyLength: 256)
      #expect(try WebPushMessage.decrypt(body, with: pair) == [1, 2, 3])
    }
    #expect(
      throws: SubscriptionKeyError.p256dh(reason: "is neither base64url nor base64")
    ) {
      try UserAgentKeys(p256dh: p256dh.replacing("-", with: "+", maxReplacements: 1), auth: auth)
    }
  }

  private func standard(_ text: String) -> String {
    text.replacing("-", with: "+").replacing("_", with: "/")
  }

  private static let badPublicKeys: [(p256dh: String, reason: String)] = [
    ("abc", "has 2 octets, not 65"), ("", "has 0 octets, not 65"), ("null", "has 3 octets, not 65"),
    (String(repeating: "A", count: 10_000), "is longer than 65 octets can be"),
    (String(repeating: "A", count: 86), "has 64 octets, not 65"),
    (String(repeating: "A", count: 88), "has 66 octets, not 65"),
    (String(repeating: "A", count: 87), "does not begin with 0x04, so it is not an uncompressed point"),
    ("BA" + String(repeating: "A", count: 85), "is not a point on the curve P-256"),
    ("\(goodP256dh.dropLast(2))é", "is neither base64url nor base64"),
    ("\(goodP256dh.prefix(40)) \(goodP256dh.suffix(46))", "is neither base64url nor base64"),
    ("\(goodP256dh.prefix(40))=\(goodP256dh.suffix(46))", "is neither base64url nor base64"),
  ]

  @Test(
    "keys that cannot be used are refused at once, with the member and a reason", arguments: badPublicKeys)
  func badPublicKey(p256dh: String, reason: String) {
    #expect(throws: SubscriptionKeyError.p256dh(reason: reason)) {
      try UserAgentKeys(p256dh: p256dh, auth: Self.goodAuth)
    }
  }

  @Test(
    "secrets that cannot be used are refused at once, with the member and a reason",
    arguments: [
      ("", "has 0 octets, not 16"), ("AAECAwQFBgcICQoLDA0O", "has 15 octets, not 16"),
      ("AAECAwQFBgcICQoLDA0ODxA", "has 17 octets, not 16"),
      ("AAAAAAAAAAAAAAAAAAAAAA", "is all zeros, which no working client sends"),
      ("AAAAAAAAAAAAAAAAAAAAAA==", "is all zeros, which no working client sends"),
      ("AAECAwQFBgcICQoLDA0ODx", "is neither base64url nor base64"),
      ("AAECAwQFBgcICQoLDA0ODw=", "is neither base64url nor base64"),
      ("AAECAwQFBgcICQoLDA0OD+_", "is neither base64url nor base64"),
      (String(repeating: "A", count: 25), "is longer than 16 octets can be"),
    ])
  func badSecret(auth: String, reason: String) {
    #expect(throws: SubscriptionKeyError.auth(reason: reason)) {
      try UserAgentKeys(p256dh: Self.goodP256dh, auth: auth)
    }
  }

  @Test("keys that differ in one half are different keys")
  func equality() throws {
    let keys = try UserAgentKeys(p256dh: Self.goodP256dh, auth: Self.goodAuth)
    let otherSecret = try UserAgentKeys(p256dh: Self.goodP256dh, auth: "AQECAwQFBgcICQoLDA0ODw")
    let otherKey = try UserAgentKeys(p256dh: UserAgentKeyPair.generate().keys.p256dh, auth: Self.goodAuth)
    #expect(Set([keys, otherSecret, otherKey, keys]).count == 3)
  }
}
