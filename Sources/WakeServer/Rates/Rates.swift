/// What one token may ask for, and how often; nil where there is no limit. The service's own numbers are those of the
/// wire contract.
package struct Rates: Sendable, Equatable {
  /// The hook token of a core, in all that it may write.
  package var hook: Rate? = .perSecond(5_000)
  /// Changes of one registration, its making and its end among them.
  package var changes: Rate? = .perMinute(60)
  /// Test wakes that one companion asks for.
  package var tests: Rate? = .perMinute(6)

  package init() {}
}
