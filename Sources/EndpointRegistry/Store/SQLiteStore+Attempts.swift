extension SQLiteStore {
  package func beginAttempts(
    _ attempts: [NewAttempt], at: Int64
  ) async throws(RegistryError) -> [AttemptID] {
    guard !attempts.isEmpty else { return [] }
    return try await writeOwed { session throws(RegistryError) in
      try session.beginAttempts(attempts, at: at)
    }
  }

  package func beginActivation(
    _ attempt: NewAttempt, at: Int64
  ) async throws(RegistryError) -> AttemptID? {
    try await writeOwed { session throws(RegistryError) in
      try session.database.run(
        "UPDATE devices SET activation_owed = 0 WHERE id = ? AND activation_owed = 1",
        .text(attempt.device.text))
      guard session.database.changes > 0 else { return nil }
      return try session.beginAttempts([attempt], at: at).first
    }
  }

  package func activationsOwed(
    limit: Int
  ) async throws(RegistryError) -> [(device: DeviceID, stack: StackID)] {
    try await read { session throws(RegistryError) in
      try session.database.all(
        """
        SELECT d.id, s.id FROM devices d INDEXED BY devices_owed JOIN stacks s ON s.serial = d.stack
        WHERE d.activation_owed = 1 AND d.is_subscribed = 1 ORDER BY d.id LIMIT ?
        """, .limit(limit)
      ) { row throws(RegistryError) in (device: try row.deviceID(0), stack: try row.stackID(1)) }
    }
  }

  @discardableResult
  package func completeAttempts(
    _ results: [AttemptResult], at: Int64
  ) async throws(RegistryError) -> [ErasedEndpoint] {
    guard !results.isEmpty else { return [] }
    return try await writeOwed { session throws(RegistryError) in
      try session.complete(results, at: at)
    }
  }

  package func attempts(
    _ filter: AttemptFilter, before: AttemptID?, limit: Int
  ) async throws(RegistryError) -> [Attempt] {
    try await read { session throws(RegistryError) in
      try session.attempts(filter, before: before, limit: limit)
    }
  }
}

extension Session {
  fileprivate func beginAttempts(
    _ attempts: [NewAttempt], at: Int64
  ) throws(RegistryError) -> [AttemptID] {
    var serials: [StackID: Int64] = [:]
    var ids: [AttemptID] = []
    for attempt in attempts {
      let stack: Int64
      if let known = serials[attempt.stack] {
        stack = known
      } else {
        stack = try requireStack(attempt.stack).serial
        serials[attempt.stack] = stack
      }
      ids.append(try begin(attempt, serial: stack, at: at))
    }
    return ids
  }

  /// Puts one attempt on record; `serial` is its stack's.
  func begin(_ attempt: NewAttempt, serial: Int64, at: Int64) throws(RegistryError) -> AttemptID {
    try database.run(
      """
      INSERT INTO attempts (at, stack, device, purpose, alert_first, alert_last, alert_count, receipt,
        push_server, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(at), .integer(serial), .text(attempt.device.text), .text(attempt.purpose.rawValue),
      .optional(attempt.alertFirst?.text), .optional(attempt.alertLast?.text),
      .integer(attempt.alertCount), .optional(attempt.receipt.map(keys.receiptDigest)),
      .optional(attempt.pushServer), .text(attempt.outcome.rawValue))
    return database.lastInsertedRow
  }

  fileprivate func attempts(
    _ filter: AttemptFilter, before: AttemptID?, limit: Int
  ) throws(RegistryError) -> [Attempt] {
    var conditions: [String] = []
    var values: [SQLiteValue] = []
    func narrow(_ condition: String, _ value: SQLiteValue?) {
      guard let value else { return }
      conditions.append(condition)
      values.append(value)
    }
    narrow("a.stack = (SELECT serial FROM stacks WHERE id = ?)", filter.stack.map { .text($0.text) })
    narrow("a.device = ?", filter.device.map { .text($0.text) })
    narrow("a.outcome = ?", filter.outcome.map { .text($0.rawValue) })
    narrow("a.at >= ?", filter.since.map { .integer($0) })
    narrow("a.id < ?", before.map { .integer($0) })
    let narrowed = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return try database.all(
      """
      SELECT a.id, a.at, s.id, a.device, a.alert_first, a.alert_last, a.alert_count, a.outcome, a.status,
        a.reason, a.push_server, a.milliseconds, a.receipt_at, a.purpose
      FROM attempts a JOIN stacks s ON s.serial = a.stack\(narrowed) ORDER BY a.id DESC LIMIT ?
      """,
      values: values + [.limit(limit)], read: Self.attempt)
  }

  private static func attempt(_ row: Statement) throws(RegistryError) -> Attempt {
    Attempt(
      id: row.integer(0), at: row.integer(1), stack: try row.stackID(2), device: try row.deviceID(3),
      alertFirst: try row.optionalAlertID(4), alertLast: try row.optionalAlertID(5),
      alertCount: Int(row.integer(6)), outcome: try row.value(7, AttemptOutcome.self),
      status: row.optionalInteger(8).map { Int($0) }, reason: row.optionalText(9),
      pushServer: row.optionalText(10), milliseconds: row.optionalInteger(11).map { Int($0) },
      receiptAt: row.optionalInteger(12), purpose: try row.value(13, AttemptPurpose.self))
  }
}
