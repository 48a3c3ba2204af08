import CryptoPrimitives
import PushDelivery
import TestSupport
import Testing
import WebPushCrypto

@Suite("VAPID tokens that are reused (RFC 8292 §2)")
struct VAPIDTokenCacheTests {
  static let hour: Int64 = 3_600_000
  private let key: VAPIDKeyPair
  private let origin = "https://push.example.net"

  init() throws { key = try VAPIDKeyPair.generate() }

  private func expiry(_ authorization: String) throws -> Int64 {
    try VAPIDToken.verify(authorization: authorization).expiresAt
  }

  @Test(
    "the audience is the endpoint's origin",
    arguments: [
      ("https://h.example:8443/a?b=c", "https://h.example:8443"),
      ("https://h.example:443/a", "https://h.example"),
      ("https://H.Example/a", "https://h.example"), ("https://h.example./a", "https://h.example"),
      ("http://h.example:8080/a", "http://h.example:8080"), ("http://h.example:80/a", "http://h.example"),
      ("https://[2606:4700::1]:8443/a", "https://[2606:4700::1]:8443"),
    ])
  func audience(url: String, audience: String) throws {
    let allow = try PushAllowList(parsing: "http://h.example:8080, http://h.example")
    let endpoint = try AddressPolicy(allow: allow).endpoint(from: url)
    #expect(endpoint.url == url)
    let authorization = try VAPIDTokenCache(subject: "mailto:me@h.example").authorization(
      for: endpoint.origin, key: key, nowMilliseconds: PushHarness.now)
    let claims = try VAPIDToken.verify(authorization: authorization)
    #expect(claims.audience == audience)
    #expect(claims.subject == "mailto:me@h.example")
    #expect(claims.publicKey == key.publicKey)
  }

  @Test("a token serves until an hour before its end, and is always between one and twelve hours from it")
  func reuse() throws {
    let cache = VAPIDTokenCache(subject: nil)
    var tokens: [String] = []
    for step in 0..<600 {
      let now = PushHarness.now + Int64(step) * 10 * 60_000
      let token = try cache.authorization(for: origin, key: key, nowMilliseconds: now)
      let ahead = try expiry(token) - now / 1_000
      #expect((3_600...43_200).contains(ahead))
      if tokens.last != token { tokens.append(token) }
    }
    // 100 hours, each token serves for almost eleven.
    #expect(tokens.count == 10)
    #expect(Set(tokens).count == 10)
  }

  @Test("a clock that jumps gets a new token", arguments: [13, 25, -1, -13, -25, 24 * 3_650, -24 * 3_650])
  func jumps(hours: Int64) throws {
    let cache = VAPIDTokenCache(subject: nil)
    let first = try cache.authorization(for: origin, key: key, nowMilliseconds: PushHarness.now)
    let later = PushHarness.now + hours * Self.hour
    let second = try cache.authorization(for: origin, key: key, nowMilliseconds: later)
    #expect(first != second)
    #expect((3_600...43_200).contains(try expiry(second) - later / 1_000))
  }

  @Test("a push server whose clock is ten minutes off accepts", arguments: [-600, 0, 600] as [Int64])
  func skew(seconds: Int64) throws {
    let token = try VAPIDTokenCache(subject: nil).authorization(
      for: origin, key: key, nowMilliseconds: PushHarness.now)
    let claims = try VAPIDToken.verify(authorization: token)
    #expect(claims.isAcceptable(audience: origin, atSeconds: PushHarness.now / 1_000 + seconds))
  }

  @Test("each key and each origin has its own")
  func separate() throws {
    let cache = VAPIDTokenCache(subject: nil)
    let other = try VAPIDKeyPair.generate()
    var tokens: Set<String> = []
    for key in [key, other] {
      for origin in [origin, "https://other.example"] {
        tokens.insert(try cache.authorization(for: origin, key: key, nowMilliseconds: PushHarness.now))
      }
    }
    #expect(tokens.count == 4)
  }

  @Test("what is used stays when others are forgotten")
  func bounded() throws {
    let cache = VAPIDTokenCache(subject: nil, entriesMaximum: 4)
    let first = try cache.authorization(for: origin, key: key, nowMilliseconds: PushHarness.now)
    let idle = try cache.authorization(
      for: "https://idle.example", key: key, nowMilliseconds: PushHarness.now)
    for number in 0..<20 {
      _ = try cache.authorization(
        for: "https://h\(number).example", key: key, nowMilliseconds: PushHarness.now)
      #expect(try cache.authorization(for: origin, key: key, nowMilliseconds: PushHarness.now) == first)
    }
    let again = try cache.authorization(
      for: "https://idle.example", key: key, nowMilliseconds: PushHarness.now)
    #expect(again != idle)
  }

  @Test("many callers at once get one token")
  func concurrent() async throws {
    let cache = VAPIDTokenCache(subject: nil)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { [key, origin] in
          try cache.authorization(for: origin, key: key, nowMilliseconds: PushHarness.now)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
  }

  @Test("the contact is in the token where it is configured, and not beside it")
  func contact() throws {
    let contact = "mailto:operator@h.example"
    for subject in [nil, contact] {
      let authorization = try VAPIDTokenCache(subject: subject).authorization(
        for: origin, key: key, nowMilliseconds: PushHarness.now)
      let token = try #require(authorization.split(separator: "t=").last?.split(separator: ",").first)
      let claims = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
      #expect(String(decoding: claims, as: UTF8.self).contains("operator@h.example") == (subject != nil))
      #expect(!authorization.contains("operator"))
    }
  }

  @Test(
    "a clock of long ago, or of no time at all, is an error and no trap",
    arguments: [Int64.min, -1_000_000_000_000_000, Int64.max])
  func absurdClock(now: Int64) {
    let cache = VAPIDTokenCache(subject: nil)
    _ = try? cache.authorization(for: origin, key: key, nowMilliseconds: now)
    #expect(throws: WebPushCryptoError.audience) {
      try cache.authorization(for: "not an origin", key: key, nowMilliseconds: PushHarness.now)
    }
  }
}
