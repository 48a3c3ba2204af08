/// What becomes of what a device is to be told of.
package enum WakeDecision: Sendable, Equatable {
  /// A wake goes out for all that is due; its receipt, 22 characters.
  case send(receipt: String)
  /// It stays due, for a reason that a row is written for: `coalesced`, `held`.
  case wait(AttemptOutcome)
  /// Nothing is due, or nothing can be sent: it is told of nothing, and nothing waits.
  case pass
}
