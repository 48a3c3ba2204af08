/// The pauses that a push server asked for, as far as they concern one endpoint. Times are milliseconds since 1970.
package struct WakeHold: Sendable, Equatable {
  /// Until when its push server wants nothing for the endpoint.
  package var endpointUntil: Int64?
  /// Until when its push server wants nothing at all.
  package var originUntil: Int64?
  /// Refusals of the endpoint in a row that named no pause.
  package var refusals: Int

  /// All members.
  package init(endpointUntil: Int64? = nil, originUntil: Int64? = nil, refusals: Int = 0) {
    self.endpointUntil = endpointUntil
    self.originUntil = originUntil
    self.refusals = refusals
  }

  /// No pause lasts longer than a day (wire contract). What seems to, by more than an hour, was left behind by a clock that
  /// has been set since, and is void.
  package static let milliseconds: Int64 = Retention.day + 3_600_000

  /// When a wake to the endpoint may go again; nil where it may at `at`.
  package func end(at: Int64) -> Int64? {
    [endpointUntil, originUntil].compactMap { $0 }
      .filter { $0 > at && $0 <= at.addingReportingOverflow(Self.milliseconds).partialValue }.max()
  }
}
