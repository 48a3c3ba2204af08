/// How long the registry keeps what nobody needs for ever. Alerts have rules of their own (``AlertRetention``).
package struct Retention: Sendable, Equatable {
  /// Attempts older than this are forgotten: 30 days, so that "since last month" has an answer.
  package var attemptMilliseconds: Int64
  /// Attempts of one stack beyond this are forgotten, the oldest first: some 15 MB.
  package var attemptsPerStack: Int
  /// Devices that have been `gone` for longer are removed: their phone has had 90 days to come back.
  package var goneMilliseconds: Int64
  /// How long a code is remembered after it expired, so that a late attempt learns why it fails.
  package var pairingMilliseconds: Int64
  /// How long a revoked token is remembered, so that its companion learns to pair again; 401 says the same later.
  package var revokedTokenMilliseconds: Int64
  /// How long a VAPID key that was replaced and that nobody hangs on is still taken: longer than a pairing code lives,
  /// whose link carries the key.
  package var replacedKeyMilliseconds: Int64

  /// The numbers that the service keeps to where nobody says otherwise.
  package init(
    attemptMilliseconds: Int64 = 30 * day, attemptsPerStack: Int = 100_000,
    goneMilliseconds: Int64 = 90 * day,
    pairingMilliseconds: Int64 = day, revokedTokenMilliseconds: Int64 = 365 * day,
    replacedKeyMilliseconds: Int64 = day
  ) {
    self.attemptMilliseconds = attemptMilliseconds
    self.attemptsPerStack = attemptsPerStack
    self.goneMilliseconds = goneMilliseconds
    self.pairingMilliseconds = pairingMilliseconds
    self.revokedTokenMilliseconds = revokedTokenMilliseconds
    self.replacedKeyMilliseconds = replacedKeyMilliseconds
  }

  /// Milliseconds of a day.
  package static let day: Int64 = 24 * 60 * 60 * 1_000
}
