/// How attempts ended.
extension Session {
  /// Ends those of the attempts that are still open, says of their devices and push servers what that tells, and erases
  /// the endpoints that they found gone.
  @discardableResult
  func complete(_ results: [AttemptResult], at: Int64) throws(RegistryError) -> [ErasedEndpoint] {
    var answers = PushServerAnswers()
    var erased: [ErasedEndpoint] = []
    for result in results {
      try complete(result, at: at, &answers)
      if let erasure = result.erasure { erased += try erase(erasure, at: at) }
    }
    for answer in answers.newest { try keep(answer) }
    return erased
  }

  private func complete(
    _ result: AttemptResult, at: Int64, _ answers: inout PushServerAnswers
  ) throws(RegistryError) {
    let begun = try begun(result.id)
    if begun != nil {
      try database.run(
        "UPDATE attempts SET outcome = ?, status = ?, reason = ?, milliseconds = ? WHERE id = ?",
        .text(result.outcome.rawValue), .optional(result.status), .optional(result.reason),
        .integer(result.milliseconds), .integer(result.id))
    }
    if let hold = result.hold { try keep(hold, from: begun?.pushServer, at: at) }
    if result.outcome == .held || result.outcome == .coalesced { try putBack(result.id) }
    guard let begun, result.outcome.isAnswer else { return }
    // A later attempt's outcome stands, and so does none where the subscription changed since this one was begun. One
    // more wake that its push server took and that nothing has answered counts if it went to the subscription in use.
    let counts = result.outcome == .accepted && begun.isUnanswered
    try database.run(
      """
      UPDATE devices SET last_wake_at = max(coalesce(last_wake_at, ?1), ?1),
        last_outcome = iif(last_attempt < ?2, ?3, last_outcome), last_attempt = max(last_attempt, ?2),
        unanswered = unanswered + (?5 AND subscribed_after < ?2),
        unanswered_since = iif(?5 AND subscribed_after < ?2, min(coalesce(unanswered_since, ?1), ?1),
          unanswered_since)
      WHERE id = ?4
      """,
      .integer(begun.at), .integer(result.id), .text(result.outcome.rawValue), .text(begun.device),
      .integer(counts ? 1 : 0))
    if result.outcome == .throttled { try closeWindow(ofAttempt: result.id) }
    if let origin = begun.pushServer {
      answers.add(result, from: origin, stack: begun.stack, begunAt: begun.at)
    }
  }

  /// What is known of an attempt that is still open. A read and a change cost half of a change that returns what it
  /// changed, which SQLite puts into a table of its own first.
  private func begun(_ attempt: AttemptID) throws(RegistryError) -> Begun? {
    try database.first(
      """
      SELECT device, at, stack, push_server, receipt IS NOT NULL AND receipt_at IS NULL FROM attempts
      WHERE id = ? AND outcome = ?
      """,
      .integer(attempt), .text(AttemptOutcome.unknown.rawValue)
    ) { row in
      Begun(
        device: row.text(0), at: row.integer(1), stack: row.integer(2), pushServer: row.optionalText(3),
        isUnanswered: row.truth(4))
    }
  }

  private struct Begun {
    let device: String
    let at: Int64
    let stack: Int64
    let pushServer: String?
    let isUnanswered: Bool
  }

  /// Keeps what came of an attempt as its push server's last answer, unless a later attempt's is known.
  private func keep(_ answer: PushServerAnswers.Newest) throws(RegistryError) {
    try database.run(
      """
      INSERT INTO push_servers (stack, origin, last_attempt, last_at, last_outcome, last_status, reason,
        last_accepted_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (stack, origin) DO UPDATE SET
        last_accepted_at = coalesce(max(last_accepted_at, excluded.last_accepted_at), last_accepted_at,
          excluded.last_accepted_at),
        last_at = iif(excluded.last_attempt > last_attempt, excluded.last_at, last_at),
        last_outcome = iif(excluded.last_attempt > last_attempt, excluded.last_outcome, last_outcome),
        last_status = iif(excluded.last_attempt > last_attempt, excluded.last_status, last_status),
        reason = iif(excluded.last_attempt > last_attempt, excluded.reason, reason),
        last_attempt = max(last_attempt, excluded.last_attempt)
      """,
      .integer(answer.stack), .text(answer.origin), .integer(answer.result.id), .integer(answer.begunAt),
      .text(answer.result.outcome.rawValue), .optional(answer.result.status),
      .optional(answer.result.reason), .optional(answer.acceptedAt))
  }
}
