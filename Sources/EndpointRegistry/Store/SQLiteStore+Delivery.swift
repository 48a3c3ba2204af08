extension SQLiteStore {
  package func delivery(of stack: StackID, at: Int64) async throws(RegistryError) -> StackDelivery {
    try await read { session throws(RegistryError) in
      try session.snapshot { () throws(RegistryError) in
        let row = try session.requireStack(stack)
        return StackDelivery(
          devices: try session.deviceStates(of: row, at: at),
          pushServers: try session.pushServers(of: row, at: at))
      }
    }
  }
}

extension Session {
  /// How many devices of a stack are in each state. Counted in groups of equal facts, so that the rule stands in one
  /// place (``DeviceState``) and is asked a few times.
  func deviceStates(of stack: StackRow, at: Int64) throws(RegistryError) -> [DeviceState: Int] {
    let groups = try database.all(
      """
      WITH held AS (\(Self.heldDevices(at: "?4")))
      SELECT is_subscribed, gone_at IS NOT NULL, last_outcome, has_receipt, last_receipt_at IS NOT NULL,
        min(unanswered, ?2) AS wakes, coalesce(unanswered_since < ?3, 0) AS is_long, max(unanswered_since), count(*),
        max(h.until)
      FROM devices d LEFT JOIN held h ON h.device = d.serial
      WHERE stack = ?1 GROUP BY 1, 2, 3, 4, 5, wakes, is_long, h.until IS NULL
      """,
      .integer(stack.serial), .integer(DeliveryFacts.silentWakes),
      .integer(at - DeliveryFacts.silentMilliseconds), .integer(at)
    ) { row throws(RegistryError) in
      let facts = DeliveryFacts(
        hasSubscription: row.truth(0), isGone: row.truth(1),
        lastOutcome: try row.optionalValue(2, AttemptOutcome.self), hasReceipt: row.truth(3),
        hasEverAnswered: row.truth(4), unanswered: Int(row.integer(5)),
        unansweredSince: row.optionalInteger(7), hold: WakeHold(endpointUntil: row.optionalInteger(9)))
      return (DeviceState(of: facts, at: at), Int(row.integer(8)))
    }
    return Dictionary(groups, uniquingKeysWith: +)
  }

  /// The push servers of the subscriptions in use, and those that answered lately.
  fileprivate func pushServers(
    of stack: StackRow, at: Int64
  ) throws(RegistryError) -> [PushServerDelivery] {
    try database.all(
      """
      WITH used AS (
        SELECT u.push_server AS origin, count(*) AS devices FROM subscriptions u
        WHERE u.stack = ?1 AND (u.is_temporary = 1 OR NOT EXISTS (
          SELECT 1 FROM subscriptions t WHERE t.device = u.device AND t.is_temporary = 1))
        GROUP BY u.push_server),
      held AS (\(Self.heldDevices(at: "?4"))),
      paused AS (SELECT origin, count(*) AS devices, min(until) AS until FROM held GROUP BY origin),
      origins AS (
        SELECT origin FROM used UNION SELECT origin FROM push_servers WHERE stack = ?1 AND last_at >= ?2)
      SELECT o.origin, coalesce(u.devices, 0), p.last_at, p.last_outcome, p.last_status, p.reason,
        p.last_accepted_at, iif(h.devices >= u.devices, h.until, NULL)
      FROM origins o LEFT JOIN used u ON u.origin = o.origin
      LEFT JOIN paused h ON h.origin = o.origin
      LEFT JOIN push_servers p ON p.stack = ?1 AND p.origin = o.origin ORDER BY o.origin
      LIMIT ?3
      """,
      .integer(stack.serial), .integer(at - StackDelivery.rememberedMilliseconds),
      .limit(StackDelivery.pushServersMaximum), .integer(at)
    ) { row throws(RegistryError) in try Self.pushServer(row) }
  }

  static func pushServer(_ row: Statement) throws(RegistryError) -> PushServerDelivery {
    PushServerDelivery(
      origin: row.text(0), lastAt: row.optionalInteger(2),
      lastOutcome: try row.optionalValue(3, AttemptOutcome.self),
      lastStatus: row.optionalInteger(4).map { Int($0) }, reason: row.optionalText(5),
      lastAcceptedAt: row.optionalInteger(6), devices: Int(row.integer(1)),
      heldUntil: row.optionalInteger(7))
  }
}
