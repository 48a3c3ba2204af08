import CryptoPrimitives
internal import StrictJSON

/// A signed statement of who sends, for one push server and a limited time (RFC 8292 §2).
public struct VAPIDToken: Sendable {
  /// The longest subject, so that a whole header field stays below what push servers read.
  package static let subjectLengthMaximum = 1024

  /// When the token ends, in seconds since 1970. The caller keeps it within 24 hours (RFC 8292 §2).
  public let expiresAt: Int64
  /// The value of the `Authorization` field: `vapid t=…, k=…` (RFC 8292 §3). A secret.
  package let authorization: String

  /// Signs a token. `audience` is the endpoint's origin (others throw `audience`), `expiresAt` is in seconds since
  /// 1970 and above zero (`expiry`), `subject` is a contact URI or nil (`subject` if empty or over 1024 octets).
  public static func signed(
    audience: String, expiresAt: Int64, subject: String?, by key: VAPIDKeyPair
  ) throws(WebPushCryptoError) -> VAPIDToken {
    guard VAPIDAudience.isOrigin(audience) else { throw .audience }
    guard expiresAt > 0 else { throw .expiry }
    var claims: JSONObject = ["aud": .string(audience), "exp": .integer(expiresAt)]
    if let subject {
      guard (1...subjectLengthMaximum).contains(subject.utf8.count) else { throw .subject }
      claims["sub"] = .string(subject)
    }
    let signed = "\(encodedHeader).\(Base64URL.encode(JSONValue.object(claims).serialized()))"
    let signature: [UInt8]
    do throws(CryptoError) {
      signature = try key.key.signature(for: Array(signed.utf8))
    } catch {
      throw WebPushCryptoError(error)
    }
    return VAPIDToken(
      expiresAt: expiresAt,
      authorization: "vapid t=\(signed).\(Base64URL.encode(signature)), k=\(key.publicKey)")
  }

  /// The claims of an `Authorization` field's value if it is well formed and `k` signed it; throws by the kind of
  /// fault. Audience and time are the caller's to judge (`VAPIDClaims.isAcceptable`).
  package static func verify(authorization: String) throws(WebPushCryptoError) -> VAPIDClaims {
    try VAPIDAuthorization(reading: authorization).verifiedClaims()
  }

  private static let encodedHeader = Base64URL.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
}

extension VAPIDToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone.
  public var description: String { "VAPIDToken(<redacted>)" }
  /// The same.
  public var debugDescription: String { description }
  /// Shows nothing to `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
