import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("What may be logged")
struct RedactionTests {
  @Test("no way of printing keys, endpoints, subscriptions and tokens shows a secret")
  func nothingShows() throws {
    let pair = try UserAgentKeyPair.generate()
    let endpoint = Endpoint(
      validatedURL: "https://push.example.net:8443/upSecretPath?token=SecretQuery",
      origin: "https://push.example.net:8443")
    let subscription = PushSubscription(endpoint: endpoint, keys: pair.keys)
    let key = try VAPIDKeyPair.generate()
    let token = try VAPIDToken.signed(
      audience: endpoint.origin, expiresAt: 1, subject: nil, by: key)
    let secrets = [
      "SecretPath", "SecretQuery", pair.keys.p256dh, pair.keys.auth, key.publicKey, "vapid t=", "eyJ",
      Hex.encode(pair.keys.authSecret.octets), "\(pair.keys.authSecret.octets)",
      Hex.encode(key.privateScalar.octets), "\(pair.keys.uaPublic.uncompressed)",
    ]
    let values: [any Sendable] = [
      pair, pair.keys, endpoint, subscription, key, token, [subscription],
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
      }
    }
  }

  @Test("an endpoint and a subscription show the push server's origin")
  func origin() throws {
    let endpoint = Endpoint(validatedURL: "https://push.example.net/a", origin: "https://push.example.net")
    let subscription = PushSubscription(endpoint: endpoint, keys: try UserAgentKeyPair.generate().keys)
    #expect("\(endpoint)" == "https://push.example.net/…")
    #expect("\(subscription)" == "PushSubscription(https://push.example.net/…)")
  }
}
