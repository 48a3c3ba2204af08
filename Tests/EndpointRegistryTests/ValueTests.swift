import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Ids, tokens and their descriptions")
struct ValueTests {
  @Test(
    "a stack's id is 8 to 64 of [A-Za-z0-9_-]",
    arguments: [
      ("abcdefgh", true), ("A-z_0189", true), (String(repeating: "x", count: 64), true), ("abcdefg", false),
      (String(repeating: "x", count: 65), false), ("abcdefg ", false), ("abcdefg/", false),
      ("abcdefgé", false), ("", false),
    ])
  func stackID(text: String, isValid: Bool) {
    #expect((StackID(text)?.text == text) == isValid)
  }

  @Test(
    "a device's id is 26 of [a-z2-7]",
    arguments: [
      (String(repeating: "a", count: 26), true), ("234567abcdefghijklmnopqrst", true),
      (String(repeating: "a", count: 25), false), (String(repeating: "a", count: 27), false),
      ("A" + String(repeating: "a", count: 25), false), ("1" + String(repeating: "a", count: 25), false),
    ])
  func deviceID(text: String, isValid: Bool) {
    #expect((DeviceID(text)?.text == text) == isValid)
  }

  @Test("minted ids have their form and differ")
  func minted() {
    let stacks = (0..<100).map { _ in StackID.minted(.system).text }
    let devices = (0..<100).map { _ in DeviceID.minted(.system).text }
    for text in stacks + devices { #expect(Base32.isText(text, count: 26)) }
    #expect(Set(stacks + devices).count == 200)
    #expect(AlertID("\(AlertID.mintedEpoch(.system))-0") != nil)
  }

  @Test(
    "Base32 is RFC 4648's in lower case, without padding",
    arguments: [
      ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
    ])
  func base32(octets: String, text: String) {
    #expect(Base32.encode(Array(octets.utf8)) == text)
  }

  @Test(
    "an alert's id is an epoch and a canonical decimal that fits",
    arguments: [
      ("abcdefgh-0", 0), ("abcdefgh-1", 1), ("abcdefgh-9223372036854775807", Int64.max),
      ("abcdefgh-9223372036854775808", nil), ("abcdefgh-99999999999999999999999", nil), ("abcdefgh-00", nil),
      ("abcdefgh-01", nil), ("abcdefgh--1", nil), ("abcdefgh-+1", nil), ("abcdefgh-", nil), ("abcdefgh", nil),
      ("abcdefg-1", nil), ("abcdefghi-1", nil), ("Abcdefgh-1", nil), ("abcdefg1-1", nil),
      ("abcdefgh-1 ", nil),
      (" abcdefgh-1", nil), ("abcdefgh-1e3", nil), ("abcdefgh-١", nil), ("", nil),
    ] as [(String, Int64?)])
  func alertID(text: String, number: Int64?) {
    let id = AlertID(text)
    #expect(id?.number == number)
    if let id { #expect(id.text == text) }
  }

  @Test(
    "a client is the canonical base64url of 16 octets",
    arguments: [
      ("AAAAAAAAAAAAAAAAAAAAAA", true), ("_-AAAAAAAAAAAAAAAAAAAA", true), ("AAAAAAAAAAAAAAAAAAAAAB", false),
      ("AAAAAAAAAAAAAAAAAAAAA", false), ("AAAAAAAAAAAAAAAAAAAAAA==", false),
      ("+/AAAAAAAAAAAAAAAAAAAA", false),
    ])
  func clientID(text: String, isValid: Bool) {
    #expect((ClientID(text)?.text == text) == isValid)
  }

  @Test("a token has its class's prefix and 256 bits, and reads back", arguments: Token.Class.allCases)
  func token(tokenClass: Token.Class) throws {
    let token = Token.minted(tokenClass, random: .system)
    #expect(token.text.hasPrefix(tokenClass.rawValue))
    #expect(token.text.utf8.count == 47)
    let read = try #require(Token(token.text))
    #expect(read.tokenClass == tokenClass)
    #expect(read.digest == SHA256.digest(Array(token.text.utf8)))
    #expect(Token.minted(tokenClass, random: .system).text != token.text)
  }

  @Test("what is not a token is none")
  func noToken() {
    let good = Token.minted(.device, random: .system).text
    for text in [
      "", "wkd_", "wkx_" + good.dropFirst(4), good + "A", String(good.dropLast()), " " + good.dropLast(),
    ] {
      #expect(Token(text) == nil)
    }
    // 43 characters carry 258 bits: the last two have to be zero.
    #expect(Token("wkd_" + String(repeating: "A", count: 42) + "B") == nil)
  }

  @Test("no description, no mirror and no dump shows a secret")
  func redaction() async throws {
    let token = Token.minted(.pairing, random: .system)
    let client = ClientID.minted(.system)
    let subscription = try PushSubscription.at("secret-path")
    let registration = Registration(pairing: token, client: client, subscription: subscription)
    let change = DeviceChange(subscription: .set(subscription), keys: .set(subscription.keys))
    let alert = NewAlert(
      kind: .problem, event: "secret-event", ref: "secret-ref", alert: Array("secret-alert".utf8))
    let attempt = NewAttempt(
      stack: .minted(.system), device: .minted(.system), receipt: "secret-receipt", purpose: .test)
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    _ = try await temporary.register(stack.id, subscription: subscription)
    let target = try await temporary.target(stack.id)
    _ = try await temporary.store.appendAlert(alert, to: stack.id, at: 0)
    let kept = try await temporary.store.alerts(of: stack.id, after: nil, limit: 1).alerts

    var shown = ""
    for value in [token, client, registration, change, alert, attempt, target, kept] as [Any] {
      shown += "\(value)" + String(reflecting: value)
      dump(value, to: &shown)
    }
    for secret in [
      token.text, client.text, "secret", subscription.keys.p256dh, subscription.keys.auth,
      target.vapidKey.privateScalar.octets.description,
    ] {
      #expect(!shown.contains(secret))
    }
  }
}
