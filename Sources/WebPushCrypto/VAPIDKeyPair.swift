package import CryptoPrimitives

/// The key pair by which a push server knows an application server again (RFC 8292 §2). Subscriptions are bound to
/// it, so it lives as long as they do; it is never the pair that encrypts messages (RFC 8292 §3.2).
public struct VAPIDKeyPair: Sendable {
  /// The key that signs.
  package let key: P256PrivateKey

  /// Takes a private scalar of 32 octets from 1 to n - 1; others throw `privateKey`.
  package init(privateScalar: [UInt8]) throws(WebPushCryptoError) {
    do throws(CryptoError) {
      key = try P256PrivateKey(scalar: privateScalar)
    } catch .invalidScalar {
      throw .privateKey
    } catch {
      throw WebPushCryptoError(error)
    }
  }

  private init(key: P256PrivateKey) {
    self.key = key
  }

  /// A fresh pair.
  public static func generate() throws(WebPushCryptoError) -> VAPIDKeyPair {
    do throws(CryptoError) {
      return VAPIDKeyPair(key: try P256PrivateKey.generate())
    } catch {
      throw WebPushCryptoError(error)
    }
  }

  /// The private scalar: always 32 octets.
  package var privateScalar: SecretOctets { key.scalar }

  /// The public key as browsers and push servers take it: 65 octets as 87 characters of unpadded base64url.
  public var publicKey: String { Base64URL.encode(key.publicKey.uncompressed) }
}

extension VAPIDKeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone.
  public var description: String { "VAPIDKeyPair(<redacted>)" }
  /// The same.
  public var debugDescription: String { description }
  /// Shows nothing to `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
