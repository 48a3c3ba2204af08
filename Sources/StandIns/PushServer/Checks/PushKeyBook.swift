internal import CryptoPrimitives
internal import HTTPListener
internal import WebPushCrypto

/// Which key each endpoint was first used with: push servers bind a subscription to one (RFC 8292 §4), and this one,
/// which sees no subscribing, takes the first for it.
struct PushKeyBook {
  /// Endpoints that are remembered: about 12 MB of digests and keys. Later ones are bound to nothing.
  private static let endpointsMaximum = 65_536

  private var keys: [[UInt8]: String] = [:]

  /// The fault of a token that is signed by another key than the first.
  mutating func fault(of push: ReceivedPush) -> PushFault? {
    guard let claims = push.claims else { return nil }
    let endpoint = SHA256.digest(Array("\(push.origin)\(push.request.target)".utf8))
    guard let key = keys[endpoint] else {
      if keys.count < Self.endpointsMaximum { keys[endpoint] = claims.publicKey }
      return nil
    }
    return key == claims.publicKey
      ? nil : PushFault(part: .key, detail: "is another than the one that this endpoint was first used with")
  }
}
