package import KindCatalogue
package import WebPushCrypto

/// What a companion registers with: whatever is nil was not named, and stays as it is where a row is merged into.
package struct Registration: Sendable, Redacted {
  /// The code that lets it in.
  package var pairing: Token
  /// The companion's own installation.
  package var client: ClientID
  /// Endpoint and keys; they come together or not at all.
  package var subscription: PushSubscription?
  /// The VAPID key that the subscription was made with; nil is the current one for a new endpoint,
  /// and the one that is known for an endpoint that is known.
  package var vapidPublicKey: String?
  /// What people call the phone.
  package var label: String?
  /// Kinds that wake nobody there.
  package var muted: [Kind]?
  /// Whether the subscription stands in for one that comes later.
  package var temporary: Bool

  /// All members; what is left out was not named.
  package init(
    pairing: Token, client: ClientID, subscription: PushSubscription? = nil, vapidPublicKey: String? = nil,
    label: String? = nil, muted: [Kind]? = nil, temporary: Bool = false
  ) {
    self.pairing = pairing
    self.client = client
    self.subscription = subscription
    self.vapidPublicKey = vapidPublicKey
    self.label = label
    self.muted = muted
    self.temporary = temporary
  }
}
