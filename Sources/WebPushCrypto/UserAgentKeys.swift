package import CryptoPrimitives

/// What a user agent hands out for messages to be encrypted to it: its public key and the authentication secret
/// (RFC 8291 §3.1 and §3.2). A value that exists is usable.
public struct UserAgentKeys: Sendable {
  /// Octets of an authentication secret (RFC 8291 §3.2).
  package static let authSecretLength = 16
  /// Characters of 65 octets in padded base64, the longest spelling of a public key: ⌈65 / 3⌉ × 4.
  private static let p256dhLengthMaximum = 88
  /// Characters of 16 octets in padded base64: ⌈16 / 3⌉ × 4.
  private static let authLengthMaximum = 24

  /// The user agent's public key, a point on the curve.
  package let uaPublic: P256PublicKey
  /// The authentication secret, 16 octets.
  package let authSecret: SecretOctets

  /// Reads both members of a push subscription: base64url or base64, padded or not. Throws for the first member
  /// at fault: 65 octets that begin with 0x04 and lie on P-256, and 16 octets that are not all zero, are wanted.
  public init(p256dh: String, auth: String) throws(SubscriptionKeyError) {
    guard p256dh.utf8.count <= Self.p256dhLengthMaximum else {
      throw .p256dh(reason: "is longer than 65 octets can be")
    }
    guard let point = Base64URL.decodeEitherAlphabet(p256dh) else {
      throw .p256dh(reason: "is neither base64url nor base64")
    }
    guard point.count == P256PublicKey.length else {
      throw .p256dh(reason: "has \(point.count) octets, not 65")
    }
    guard point[0] == 0x04 else {
      throw .p256dh(reason: "does not begin with 0x04, so it is not an uncompressed point")
    }
    guard let uaPublic = try? P256PublicKey(uncompressed: point) else {
      throw .p256dh(reason: "is not a point on the curve P-256")
    }
    guard auth.utf8.count <= Self.authLengthMaximum else {
      throw .auth(reason: "is longer than 16 octets can be")
    }
    guard let authSecret = Base64URL.decodeEitherAlphabet(auth) else {
      throw .auth(reason: "is neither base64url nor base64")
    }
    try self.init(uaPublic: uaPublic, authSecret: authSecret)
  }

  /// Takes both as octets. Throws `auth` for another length than 16 and for 16 zeros.
  package init(uaPublic: P256PublicKey, authSecret: [UInt8]) throws(SubscriptionKeyError) {
    guard authSecret.count == Self.authSecretLength else {
      throw .auth(reason: "has \(authSecret.count) octets, not 16")
    }
    guard authSecret.contains(where: { $0 != 0 }) else {
      throw .auth(reason: "is all zeros, which no working client sends")
    }
    self.uaPublic = uaPublic
    self.authSecret = SecretOctets(authSecret)
  }

  /// The public key in its one canonical form: 87 characters of unpadded base64url.
  public var p256dh: String { Base64URL.encode(uaPublic.uncompressed) }

  /// The authentication secret in its one canonical form: 22 characters of unpadded base64url.
  public var auth: String { Base64URL.encode(authSecret.octets) }
}

extension UserAgentKeys: Hashable {
  /// Equal if both keys are.
  public static func == (left: UserAgentKeys, right: UserAgentKeys) -> Bool {
    left.uaPublic == right.uaPublic && left.authSecret == right.authSecret
  }

  /// Feeds the public key alone: equal keys have equal ones, and the secret stays out of it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(uaPublic)
  }
}

extension UserAgentKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone.
  public var description: String { "UserAgentKeys(<redacted>)" }
  /// The same.
  public var debugDescription: String { description }
  /// Shows nothing to `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
