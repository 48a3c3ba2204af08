/// What came of a registration.
package struct RegistrationResult: Sendable {
  /// The device as it is now.
  package let device: Device
  /// Its token, shown once.
  package let token: Token
  /// Where the stack's alerts stand.
  package let cursor: AlertID
  /// The stack's current VAPID key, which may be another than the subscription was made with.
  package let vapidPublicKey: String
  /// Whether the row is new (201) or was merged into (200).
  package let created: Bool
  /// Whether the subscription in use is another than before: an activation wake is due.
  package let subscriptionChanged: Bool

  /// All members, for stores and tests.
  package init(
    device: Device, token: Token, cursor: AlertID, vapidPublicKey: String, created: Bool,
    subscriptionChanged: Bool
  ) {
    self.device = device
    self.token = token
    self.cursor = cursor
    self.vapidPublicKey = vapidPublicKey
    self.created = created
    self.subscriptionChanged = subscriptionChanged
  }
}
