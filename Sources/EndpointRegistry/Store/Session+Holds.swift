/// The pauses that push servers asked for.
extension Session {
  /// What `hold(_:from:)` reads, of the subscription `u`.
  static let holdColumns = "he.until, ho.until, he.refusals"
  /// What it reads from.
  static let holdJoins = """
    LEFT JOIN endpoint_holds he ON he.endpoint_digest = u.endpoint_digest
    LEFT JOIN origin_holds ho ON ho.origin = u.push_server
    """

  /// The pauses whose columns begin with `first` in this row.
  static func hold(_ row: Statement, from first: Int32) -> WakeHold {
    WakeHold(
      endpointUntil: row.optionalInteger(first), originUntil: row.optionalInteger(first + 1),
      refusals: Int(row.optionalInteger(first + 2) ?? 0))
  }

  /// Whether the end of a pause, `column`, is ahead of `at` (a parameter) and no further than a pause lasts.
  static func isInEffect(_ column: String, at: String) -> String {
    "\(column) > \(at) AND \(column) <= \(at) + \(WakeHold.milliseconds)"
  }

  /// The devices of the stack `?1` that a pause holds at the time `at` (a parameter): `device`, the `origin` of the
  /// subscription in use, and `until` when.
  static func heldDevices(at: String) -> String {
    """
    SELECT device, origin, max(until) AS until FROM (
      SELECT u.device, u.is_temporary, u.push_server AS origin, he.until
      FROM endpoint_holds he JOIN subscriptions u ON u.endpoint_digest = he.endpoint_digest AND u.stack = ?1
      WHERE \(isInEffect("he.until", at: at))
      UNION ALL SELECT u.device, u.is_temporary, u.push_server, ho.until
      FROM origin_holds ho JOIN subscriptions u ON u.push_server = ho.origin AND u.stack = ?1
      WHERE \(isInEffect("ho.until", at: at))) h
    WHERE h.is_temporary = 1 OR NOT EXISTS (
      SELECT 1 FROM subscriptions t WHERE t.device = h.device AND t.is_temporary = 1)
    GROUP BY device
    """
  }

  /// Keeps what an answer of `origin` changes. A pause that ends later than the new one stays.
  func keep(_ change: HoldChange, from origin: String?, at: Int64) throws(RegistryError) {
    switch change {
    case .lifted(let endpointDigest, let until):
      try database.run(
        "DELETE FROM endpoint_holds WHERE endpoint_digest = ? AND until <= ?", .octets(endpointDigest),
        .integer(until))
    case .began(let endpointDigest, let until, let refusals, let originUntil):
      try database.run(
        """
        INSERT INTO endpoint_holds (endpoint_digest, until, refusals) VALUES (?1, ?2, ?3)
        ON CONFLICT (endpoint_digest) DO UPDATE SET refusals = excluded.refusals,
          until = iif(\(Self.isInEffect("until", at: "?4")), max(until, excluded.until), excluded.until)
        """,
        .octets(endpointDigest), .integer(until), .integer(refusals), .integer(at))
      guard let origin, let originUntil else { return }
      try database.run(
        """
        INSERT INTO origin_holds (origin, until) VALUES (?1, ?2)
        ON CONFLICT (origin) DO UPDATE SET
          until = iif(\(Self.isInEffect("until", at: "?3")), max(until, excluded.until), excluded.until)
        """,
        .text(origin), .integer(originUntil), .integer(at))
    }
  }

  /// Forgets the pause of an endpoint, and how often it was refused.
  func liftHold(of endpointDigest: [UInt8]) throws(RegistryError) {
    try database.run("DELETE FROM endpoint_holds WHERE endpoint_digest = ?", .octets(endpointDigest))
  }

  /// Pauses that are over for as long as one can last: an endpoint that is refused again begins anew. Those that a set
  /// clock has made void are among them, sooner or later.
  func forgottenHolds(at: Int64) throws(RegistryError) -> [SweepableRow] {
    let limit = at - WakeHold.milliseconds
    return try database.all(
      "SELECT endpoint_digest FROM endpoint_holds WHERE until < ? ORDER BY until LIMIT ?", .integer(limit),
      .integer(SweepableRow.perStep)
    ) { .endpointHold($0.octets(0)) }
      + database.all(
        "SELECT origin FROM origin_holds WHERE until < ? ORDER BY until LIMIT ?", .integer(limit),
        .integer(SweepableRow.perStep)
      ) { .originHold($0.text(0)) }
  }

  /// Removes the pause of an endpoint if it is still over.
  func forgetHold(ofEndpoint digest: [UInt8], at: Int64) throws(RegistryError) {
    try database.run(
      "DELETE FROM endpoint_holds WHERE endpoint_digest = ? AND until < ?", .octets(digest),
      .integer(at - WakeHold.milliseconds))
  }

  /// Removes the pause of an origin if it is still over.
  func forgetHold(ofOrigin origin: String, at: Int64) throws(RegistryError) {
    try database.run(
      "DELETE FROM origin_holds WHERE origin = ? AND until < ?", .text(origin),
      .integer(at - WakeHold.milliseconds))
  }
}
