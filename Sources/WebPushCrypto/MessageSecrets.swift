internal import CryptoPrimitives

/// What is never used for two messages (RFC 8291 §3.1, RFC 8188 §2.1).
enum MessageSecrets {
  /// A fresh key pair and a fresh salt.
  case fresh
  /// Those of an example or a test.
  case given(asPrivate: P256PrivateKey, salt: [UInt8])
}
