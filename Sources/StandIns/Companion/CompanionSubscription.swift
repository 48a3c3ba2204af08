internal import CryptoPrimitives
internal import StrictJSON
internal import WebPushCrypto

/// One instance of a distributor, as UnifiedPush has it: an endpoint, and the keys of what arrives there.
struct CompanionSubscription: Sendable {
  /// A secret.
  let endpoint: String
  /// The ntfy topic to follow, without a query; nil for the companion's own receiver.
  let ntfyTopic: String?
  /// The stack's key that it was made with.
  let vapidPublicKey: String
  private let pair: UserAgentKeyPair

  /// A subscription with fresh keys: at `ntfyTopic`, or at a path of its own at the receiver's address.
  init(
    vapidPublicKey: String, ntfyTopic: String?, receiver: String, random: RandomOctets
  ) throws(CompanionError) {
    self.vapidPublicKey = vapidPublicKey
    self.ntfyTopic = ntfyTopic
    // 16 octets: nobody guesses it, as with any endpoint.
    endpoint = ntfyTopic.map { "\($0)?up=1" } ?? "\(receiver)/up\(Base64URL.encode(random(16)))"
    do { pair = try UserAgentKeyPair(uaPrivate: P256PrivateKey.generate(), authSecret: random(16)) } catch {
      throw .cryptography
    }
  }

  /// Back from the state file; nil where a member is missing or wrong.
  init?(_ json: JSONValue) {
    guard let endpoint = json["endpoint"]?.string, let key = json["vapidPublicKey"]?.string,
      let scalar = json["privateKey"]?.string.flatMap(Base64URL.decode),
      let authSecret = json["auth"]?.string.flatMap(Base64URL.decode),
      let uaPrivate = try? P256PrivateKey(scalar: scalar),
      let pair = try? UserAgentKeyPair(uaPrivate: uaPrivate, authSecret: authSecret)
    else { return nil }
    self.endpoint = endpoint
    ntfyTopic = json["ntfyTopic"]?.string
    vapidPublicKey = key
    self.pair = pair
  }

  /// For the state file.
  var json: JSONValue {
    [
      "endpoint": .string(endpoint), "ntfyTopic": ntfyTopic.map { .string($0) } ?? .null,
      "vapidPublicKey": .string(vapidPublicKey),
      "privateKey": .string(Base64URL.encode(pair.uaPrivate.scalar.octets)),
      "auth": .string(Base64URL.encode(pair.keys.authSecret.octets)),
    ]
  }

  /// What a registration or a PATCH says of it.
  var members: [(String, JSONValue)] {
    [
      ("endpoint", .string(endpoint)),
      (
        "keys",
        [
          "p256dh": .string(Base64URL.encode(pair.keys.uaPublic.uncompressed)),
          "auth": .string(Base64URL.encode(pair.keys.authSecret.octets)),
        ]
      ), ("vapidPublicKey", .string(vapidPublicKey)),
    ]
  }

  /// The plaintext of a message; nil where these keys do not open it.
  func open(_ body: [UInt8]) -> [UInt8]? { try? WebPushMessage.decrypt(body, with: pair) }
}
