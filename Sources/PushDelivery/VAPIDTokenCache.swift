internal import Synchronization
package import WebPushCrypto

/// Tokens that are reused: a signature costs as much as half an encryption, and one serves for hours.
///
/// One token for each key and origin. Its expiry is always between one and twelve hours ahead of the time that
/// the caller names, so a clock that jumps, forward or back, gets a new one.
package final class VAPIDTokenCache: Sendable {
  /// A push server refuses more than 24 hours (RFC 8292 §2); half of it leaves room for clocks that are off.
  static let lifetimeMaximumSeconds: Int64 = 12 * 3_600
  /// What a new token gets: five minutes less, so that it is not renewed for a clock that steps back a little.
  static let lifetimeSeconds: Int64 = lifetimeMaximumSeconds - 300
  /// A token is not used in its last hour: a push server's clock may be fast.
  static let lifetimeMinimumSeconds: Int64 = 3_600
  /// Tokens in each of two generations. About 600 octets each: 5 MiB at most.
  package static let entriesMaximum = 4_096

  private struct Key: Hashable {
    let publicKey: String
    let origin: String
  }

  private struct State {
    /// The newer generation; when it is full it becomes the older one, which is forgotten.
    var newer: [Key: VAPIDToken] = [:]
    var older: [Key: VAPIDToken] = [:]
  }

  private let subject: String?
  private let entriesMaximum: Int
  private let state = Mutex(State())

  /// A cache of tokens with `subject` as their `sub` (a checked contact URI), or without one.
  package init(subject: String?, entriesMaximum: Int = VAPIDTokenCache.entriesMaximum) {
    self.subject = subject
    self.entriesMaximum = max(1, entriesMaximum)
  }

  /// The value of the `Authorization` field for `origin`, signed by `key`: kept, or new.
  package func authorization(
    for origin: String, key: VAPIDKeyPair, nowMilliseconds: Int64
  ) throws(WebPushCryptoError) -> String {
    let cacheKey = Key(publicKey: key.publicKey, origin: origin)
    let now = nowMilliseconds / 1_000
    // Signing happens under the lock: a second caller waits for the one signature instead of making another.
    let result: Result<String, WebPushCryptoError> = state.withLock { state in
      let known = state.newer[cacheKey] ?? state.older[cacheKey]
      if let known, Self.isFresh(known, now: now) {
        if state.newer[cacheKey] == nil { keep(known, cacheKey, &state) }
        return .success(known.authorization)
      }
      do throws(WebPushCryptoError) {
        let expiresAt = now.addingReportingOverflow(Self.lifetimeSeconds).partialValue
        let token = try VAPIDToken.signed(
          audience: origin, expiresAt: expiresAt, subject: subject, by: key)
        keep(token, cacheKey, &state)
        return .success(token.authorization)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func keep(_ token: VAPIDToken, _ key: Key, _ state: inout State) {
    if state.newer.count >= entriesMaximum, state.newer[key] == nil {
      state.older = state.newer
      state.newer = [:]
    }
    state.newer[key] = token
  }

  private static func isFresh(_ token: VAPIDToken, now: Int64) -> Bool {
    let (ahead, overflow) = token.expiresAt.subtractingReportingOverflow(now)
    return !overflow && (lifetimeMinimumSeconds...lifetimeMaximumSeconds).contains(ahead)
  }
}
