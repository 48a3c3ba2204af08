import CryptoPrimitives
import WebPushCrypto

extension FuzzTarget {
  /// What somebody sends to an app in place of a wake, and an `Authorization` field of VAPID.
  static let message = FuzzTarget("message", lengthMaximum: 4_200) { octets in
    let opened = try? WebPushMessage.decrypt(octets, uaPrivate: appKey, authSecret: Array(1...16))
    try require(opened == nil, "a message that nobody encrypted is opened")
    let claims = try? VAPIDToken.verify(authorization: String(decoding: octets, as: UTF8.self))
    try require(
      claims == nil || octets.starts(with: "vapid ".utf8), "a token under another scheme is verified")
  }

  /// Of the test: whose scalar is 32 times 0x01.
  private static let appKey: P256PrivateKey = {
    do { return try P256PrivateKey(scalar: Array(repeating: 1, count: 32)) } catch {
      preconditionFailure("the scalar of the fuzz target is none: \(error)")
    }
  }()
}
