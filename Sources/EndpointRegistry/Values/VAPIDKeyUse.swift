/// One of a stack's VAPID keys, and who hangs on it.
package struct VAPIDKeyUse: Sendable, Equatable {
  /// 87 base64url characters (RFC 8292 §3.2).
  package let publicKey: String
  /// Whether new subscriptions are made with it.
  package let isCurrent: Bool
  /// When it was made.
  package let createdAt: Int64
  /// When another one became the current one; nil for the current one.
  package let replacedAt: Int64?
  /// Devices with a subscription that was made with it.
  package let devices: Int

  /// All members, for stores and tests.
  package init(publicKey: String, isCurrent: Bool, createdAt: Int64, replacedAt: Int64?, devices: Int) {
    self.publicKey = publicKey
    self.isCurrent = isCurrent
    self.createdAt = createdAt
    self.replacedAt = replacedAt
    self.devices = devices
  }
}
