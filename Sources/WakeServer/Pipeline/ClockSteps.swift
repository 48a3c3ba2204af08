/// By how much the time of day was set forward, lately: what is on record from before seems older by that than it is.
///
/// A pure rule over two clocks, the time of day and one that nobody sets, both in milliseconds.
struct ClockSteps: Sendable {
  /// Less is a correction, and little against the hour for which an alert is worth a wake.
  static let stepMilliseconds: Int64 = 60_000
  /// A hundred years: no clock that is set by more makes anything overflow.
  static let forwardMaximum: Int64 = 36_525 * 24 * 3_600_000

  /// How far the time of day was ahead of the steady clock when both were last looked at.
  private var lead: Int64
  private var forward: Int64 = 0
  /// Of the steady clock: what was recorded before the last step is old by then, whatever the clock says.
  private var until = Int64.min

  init(wall: Int64, steady: Int64) { lead = wall.subtractingReportingOverflow(steady).partialValue }

  /// Looks at both clocks; by how much what is on record may seem too old. `fresh` is for how long it matters.
  mutating func allowance(wall: Int64, steady: Int64, fresh: Int64) -> Int64 {
    let now = wall.subtractingReportingOverflow(steady).partialValue
    let step = now.subtractingReportingOverflow(lead).partialValue
    lead = now
    if steady >= until { forward = 0 }
    guard step.magnitude > Self.stepMilliseconds else { return forward }
    // A step back takes away what a step forward gave: that was a mistake which somebody put right.
    forward = min(max(0, forward.addingReportingOverflow(step).partialValue), Self.forwardMaximum)
    until = steady + fresh
    return forward
  }
}
