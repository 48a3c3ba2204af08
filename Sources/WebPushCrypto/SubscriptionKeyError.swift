/// Why a subscription's keys cannot be used, by the member at fault. The reason is a sentence for a person and
/// never holds a part of the key.
public enum SubscriptionKeyError: Error, Equatable, Sendable {
  /// The public key of the user agent.
  case p256dh(reason: String)
  /// The authentication secret.
  case auth(reason: String)
}
