internal import Synchronization
internal import WebPushCrypto

/// VAPID key pairs that were opened already, by public key. A pair never changes, so that none goes stale: signing
/// for ten thousand devices opens one.
final class VAPIDKeyCache: Sendable {
  /// More than one service holds: a few per stack, and tens of stacks. Beyond it the cache starts anew.
  private static let countMaximum = 1_024

  private let pairs = Mutex<[String: VAPIDKeyPair]>([:])

  /// The pair of `publicKey`, opened from `sealed` where it is not known yet.
  func pair(
    _ publicKey: String, sealed: [UInt8], keys: StoreKeys
  ) throws(RegistryError) -> VAPIDKeyPair {
    if let pair = pairs.withLock({ $0[publicKey] }) { return pair }
    let pair = try SealedVAPIDKey.open(sealed, publicKey: publicKey, keys: keys)
    pairs.withLock { pairs in
      if pairs.count >= Self.countMaximum { pairs.removeAll() }
      pairs[publicKey] = pair
    }
    return pair
  }
}
