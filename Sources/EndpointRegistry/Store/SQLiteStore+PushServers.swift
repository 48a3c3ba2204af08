extension SQLiteStore {
  package func pushServers(
    after origin: String?, limit: Int, at: Int64
  ) async throws(RegistryError) -> [PushServerDelivery] {
    try await read { session throws(RegistryError) in
      try session.snapshot { () throws(RegistryError) in
        try session.pushServers(after: origin, limit: limit, at: at)
      }
    }
  }
}

extension Session {
  /// The push servers of all stacks: of those that several stacks use, what the newest attempt of any came to.
  fileprivate func pushServers(
    after origin: String?, limit: Int, at: Int64
  ) throws(RegistryError) -> [PushServerDelivery] {
    try database.all(
      """
      WITH used AS (
        SELECT u.push_server AS origin, count(*) AS devices,
          sum(\(Self.isInEffect("coalesce(max(he.until, ho.until), he.until, ho.until)", at: "?2"))) AS held,
          min(coalesce(max(he.until, ho.until), he.until, ho.until)) AS until
        FROM subscriptions u \(Self.holdJoins)
        WHERE u.push_server > ?1 AND (u.is_temporary = 1 OR NOT EXISTS (
          SELECT 1 FROM subscriptions t WHERE t.device = u.device AND t.is_temporary = 1))
        GROUP BY u.push_server),
      newest AS (
        SELECT origin, max(last_at) AS last_at, last_outcome, last_status, reason FROM push_servers
        WHERE origin > ?1 AND last_at >= ?3 GROUP BY origin),
      taken AS (SELECT origin, max(last_accepted_at) AS at FROM push_servers WHERE origin > ?1 GROUP BY origin),
      origins AS (SELECT origin FROM used UNION SELECT origin FROM newest)
      SELECT o.origin, coalesce(u.devices, 0), n.last_at, n.last_outcome, n.last_status, n.reason, t.at,
        iif(u.held >= u.devices, u.until, NULL)
      FROM origins o LEFT JOIN used u ON u.origin = o.origin LEFT JOIN newest n ON n.origin = o.origin
      LEFT JOIN taken t ON t.origin = o.origin
      ORDER BY o.origin LIMIT ?4
      """,
      .text(origin ?? ""), .integer(at), .integer(at - StackDelivery.rememberedMilliseconds), .limit(limit)
    ) { row throws(RegistryError) in try Self.pushServer(row) }
  }
}
