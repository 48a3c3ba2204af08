/// What a wake was for.
package enum AttemptPurpose: String, Sendable, CaseIterable {
  /// It follows an alert.
  case alert
  /// It follows a first or changed subscription.
  case activation
  /// Somebody asked for it.
  case test
}
