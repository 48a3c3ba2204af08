/// Where a sweep goes on: it looks at a little of the store at a time.
package struct SweepPosition: Sendable, Equatable {
  /// Attempts up to this one were looked at.
  var attempt: AttemptID = 0
  /// Stacks up to this one were looked at, for their attempts.
  var stack: Int64 = 0
  /// Stacks up to this one were looked at, for their alerts.
  var alertsOf: Int64 = 0

  /// The beginning.
  package init() {}
}

/// What one step of a sweep removed.
package struct SweepStep: Sendable, Equatable {
  /// What the rows were that a step may remove.
  package enum Subject: String, Sendable, CaseIterable {
    case alerts, attempts, devices, pairings
    case holds = "pauses that are over"
    case revokedTokens = "revoked tokens"
    case vapidKeys = "replaced VAPID keys"
    case pushServers = "push servers that nobody uses"
  }

  /// Rows by what they were; what lost none is left out.
  package var removed: [Subject: Int] = [:]
  /// Where the next step goes on; nil where this one has come round to the end.
  package var next: SweepPosition?
}
