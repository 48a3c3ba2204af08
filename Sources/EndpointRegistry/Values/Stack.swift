package import KindCatalogue

/// One home server whose core raises alerts.
package struct Stack: Sendable, Equatable {
  /// Its identity, which survives renames.
  package let id: StackID
  /// What people call it; not unique.
  package let label: String
  /// The kinds that it says it raises, in list order.
  package let kinds: [Kind]
  /// The kinds that wake nobody unless the core asks for it, in list order.
  package let quiet: [Kind]
  /// How long the windows of its devices are, in seconds; nil is the service's default.
  package let windowSeconds: Int?
  /// The current VAPID key, 87 base64url characters: what a new subscription is made with.
  package let vapidPublicKey: String
  /// Where its alerts stand: the newest one's id, `<epoch>-0` before the first.
  package let newest: AlertID
  /// Milliseconds since 1970.
  package let createdAt: Int64

  /// All members, for stores and tests.
  package init(
    id: StackID, label: String, kinds: [Kind], quiet: [Kind] = [], windowSeconds: Int? = nil,
    vapidPublicKey: String, newest: AlertID, createdAt: Int64
  ) {
    self.id = id
    self.label = label
    self.kinds = kinds
    self.quiet = quiet
    self.windowSeconds = windowSeconds
    self.vapidPublicKey = vapidPublicKey
    self.newest = newest
    self.createdAt = createdAt
  }

  /// The longest window: a day, after which a phone is better woken than not.
  package static let windowSecondsMaximum = 24 * 60 * 60

  /// The length of a window that is nearest to `seconds`.
  static func window(_ seconds: Int) -> Int { min(max(0, seconds), windowSecondsMaximum) }
}
