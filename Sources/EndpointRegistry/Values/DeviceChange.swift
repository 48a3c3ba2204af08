package import KindCatalogue
package import WebPushCrypto

/// A change of one device. A subscription with `temporary` true is the stand-in beside the primary; without, it is
/// the primary and drops the stand-in. Keys alone, and removal, concern the one that `temporary` names.
package struct DeviceChange: Sendable, Redacted {
  /// What people call the phone.
  package var label: Change<String>
  /// Kinds that wake nobody there; removing unmutes all.
  package var muted: Change<[Kind]>
  /// Endpoint and keys.
  package var subscription: Change<PushSubscription>
  /// An endpoint alone, for keys that stay. Disregarded where `subscription` is given.
  package var endpoint: Change<Endpoint>
  /// Keys alone, for an endpoint that stays. Removing them removes the subscription, which is none without.
  package var keys: Change<UserAgentKeys>
  /// The VAPID key that the subscription was made with; removing names the current one.
  package var vapidPublicKey: Change<String>
  /// Which subscription is meant: nil and false the primary, true the stand-in.
  package var temporary: Bool?

  /// All members; what is left out stays.
  package init(
    label: Change<String> = .keep, muted: Change<[Kind]> = .keep,
    subscription: Change<PushSubscription> = .keep, endpoint: Change<Endpoint> = .keep,
    keys: Change<UserAgentKeys> = .keep, vapidPublicKey: Change<String> = .keep, temporary: Bool? = nil
  ) {
    self.label = label
    self.muted = muted
    self.subscription = subscription
    self.endpoint = endpoint
    self.keys = keys
    self.vapidPublicKey = vapidPublicKey
    self.temporary = temporary
  }
}
