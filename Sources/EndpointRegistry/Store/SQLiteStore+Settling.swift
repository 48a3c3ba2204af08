extension SQLiteStore {
  package func settle(
    _ decisions: [(PendingWake, WakeDecision)], of stack: StackID, completing newest: AlertID?, at: Int64
  ) async throws(RegistryError) -> [AttemptID?] {
    guard !decisions.isEmpty || newest != nil else { return [] }
    return try await writeOwed { session throws(RegistryError) in
      let serial = try session.requireStack(stack).serial
      var attempts: [AttemptID?] = []
      for (wake, decision) in decisions {
        // Who waits already, with nothing new, is where its row says.
        if case .wait = decision, !wake.isNews {
          attempts.append(nil)
          continue
        }
        attempts.append(try session.settle(wake, decision, of: stack, serial: serial, at: at))
      }
      if let newest {
        try session.database.run(
          "UPDATE stacks SET settled = max(settled, min(?, newest)) WHERE serial = ?",
          .integer(newest.number), .integer(serial))
      }
      return attempts
    }
  }
}

/// Rows of a device that are looked at for one to extend: those of one window, of which each reason makes one, between
/// them a few activation and test wakes.
private let rowsLookedAt = 16

/// How long after a window's end something may still wait behind it: for its turn, and for a push server that has not
/// answered the wake before.
private let lateMilliseconds: Int64 = 60_000

extension Session {
  /// Keeps one decision; the attempt of a wake that is to go out. Nothing is kept where the device was decided on, or got
  /// another subscription, since it was read.
  fileprivate func settle(
    _ wake: PendingWake, _ decision: WakeDecision, of stack: StackID, serial: Int64, at: Int64
  ) throws(RegistryError) -> AttemptID? {
    guard try keep(wake, decision, serial: serial, at: at) else { return nil }
    func row(_ span: AlertSpan?, _ outcome: AttemptOutcome) throws(RegistryError) {
      guard let span, try !extend(wake, span, outcome, at: at) else { return }
      _ = try begin(attempt(wake, span, outcome, of: stack), serial: serial, at: at)
    }
    try row(wake.muted, .muted)
    try row(wake.stale, .stale)
    switch decision {
    case .send(let receipt):
      // What came last stood behind the window too, with what waited before it.
      if wake.due != wake.newlyDue { try row(wake.newlyDue, .coalesced) }
      var attempt = attempt(wake, wake.due, .unknown, of: stack)
      attempt.receipt = receipt
      return try begin(attempt, serial: serial, at: at)
    case .wait(let outcome):
      try row(wake.newlyDue, outcome)
    case .pass:
      break
    }
    return nil
  }

  /// Writes where the device stands now; false where its row is not as it was read.
  private func keep(
    _ wake: PendingWake, _ decision: WakeDecision, serial: Int64, at: Int64
  ) throws(RegistryError) -> Bool {
    let reading = wake.reading
    var waiting: AlertSpan?
    var windowAt = reading.windowAt
    switch decision {
    case .send: windowAt = at
    case .wait: waiting = wake.due
    case .pass: break
    }
    try database.run(
      """
      UPDATE devices SET seen = ?, pending_first = ?, pending_last = ?, pending_count = ?, pending_at = ?,
        window_at = ?
      WHERE id = ? AND stack = ? AND is_subscribed = 1 AND seen = ? AND pending_count = ?
      """,
      .integer(max(reading.seen, reading.newest)), .optional(waiting?.first.number),
      .optional(waiting?.last.number), .integer(waiting?.count ?? 0),
      .optional(waiting == nil ? nil : reading.dueAt), .optional(windowAt), .text(wake.device.text),
      .integer(serial), .integer(reading.seen), .integer(reading.pendingCount))
    return database.changes > 0
  }

  private func attempt(
    _ wake: PendingWake, _ span: AlertSpan?, _ outcome: AttemptOutcome, of stack: StackID
  ) -> NewAttempt {
    NewAttempt(
      stack: stack, device: wake.device, alertFirst: span?.first, alertLast: span?.last,
      alertCount: span?.count ?? 0, pushServer: wake.pushServer, purpose: .alert, outcome: outcome)
  }

  /// Adds alerts to the row that the device has for this reason and window; false where it has none yet.
  private func extend(
    _ wake: PendingWake, _ span: AlertSpan, _ outcome: AttemptOutcome, at: Int64
  ) throws(RegistryError) -> Bool {
    let reading = wake.reading
    let waits = outcome == .coalesced || outcome == .held
    let begin: Int64
    if waits, reading.windowAt != nil {
      begin = at - reading.windowMilliseconds - lateMilliseconds
    } else if let windowAt = reading.windowAt, wake.windowEndsAt != nil {
      begin = windowAt
    } else {
      begin = at - reading.windowMilliseconds + 1
    }
    // What waits now waits behind the last wake, and has no part in what waited behind the one before.
    try database.run(
      """
      WITH newest AS (SELECT id, at, outcome, purpose FROM attempts WHERE device = ?3 ORDER BY id DESC LIMIT ?4)
      UPDATE attempts SET alert_last = ?1, alert_count = alert_count + ?2 WHERE id = (
        SELECT id FROM newest WHERE outcome = ?5 AND purpose = ?6 AND at BETWEEN ?7 AND ?8
          AND (NOT ?9 OR id > coalesce((SELECT max(id) FROM newest
            WHERE purpose = ?6 AND outcome NOT IN ('muted', 'coalesced', 'held', 'stale')), 0))
        ORDER BY id DESC LIMIT 1)
      """,
      .text(span.last.text), .integer(span.count), .text(wake.device.text), .limit(rowsLookedAt),
      .text(outcome.rawValue), .text(AttemptPurpose.alert.rawValue), .integer(begin), .integer(at),
      .integer(waits ? 1 : 0))
    return database.changes > 0
  }
}
