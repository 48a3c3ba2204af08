package import CryptoPrimitives

/// The user agent's own side of a subscription: the private key and what it hands out (RFC 8291 §2).
public struct UserAgentKeyPair: Sendable {
  /// The private key that opens messages.
  package let uaPrivate: P256PrivateKey
  /// What an application server is given.
  public let keys: UserAgentKeys

  /// Takes a private key and an authentication secret of 16 octets that are not all zero.
  package init(uaPrivate: P256PrivateKey, authSecret: [UInt8]) throws(SubscriptionKeyError) {
    self.uaPrivate = uaPrivate
    keys = try UserAgentKeys(uaPublic: uaPrivate.publicKey, authSecret: authSecret)
  }

  /// A fresh pair and secret.
  public static func generate() throws(WebPushCryptoError) -> UserAgentKeyPair {
    do {
      return try UserAgentKeyPair(
        uaPrivate: P256PrivateKey.generate(),
        authSecret: RandomOctets.system(UserAgentKeys.authSecretLength))
    } catch let error as CryptoError {
      throw WebPushCryptoError(error)
    } catch {
      throw .cryptography("sixteen random octets were all zero")
    }
  }
}

extension UserAgentKeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone.
  public var description: String { "UserAgentKeyPair(<redacted>)" }
  /// The same.
  public var debugDescription: String { description }
  /// Shows nothing to `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
