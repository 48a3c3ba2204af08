internal import CryptoPrimitives
internal import Synchronization

/// Public keys as the store has them: text that applications subscribe with, and that must never reach them malformed.
enum VAPIDPublicKeyText {
  /// Keys that are remembered as good, so that each is looked at once: some 100 octets each.
  private static let knownMaximum = 4_096
  private static let known = Mutex<Set<String>>([])

  /// Whether it is a point of P-256 in its uncompressed form, in base64url (RFC 8292 §3.2).
  static func isPoint(_ text: String) -> Bool {
    if known.withLock({ $0.contains(text) }) { return true }
    guard let octets = Base64URL.decode(text), (try? P256PublicKey(uncompressed: octets)) != nil else {
      return false
    }
    known.withLock { known in
      if known.count >= knownMaximum { known.removeAll(keepingCapacity: true) }
      known.insert(text)
    }
    return true
  }
}
