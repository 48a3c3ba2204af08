internal import KindCatalogue

extension SQLiteStore {
  package func appendAlert(
    _ alert: NewAlert, to stack: StackID, at: Int64
  ) async throws(RegistryError) -> AppendedAlert {
    try await write { session throws(RegistryError) in try session.appendAlert(alert, to: stack, at: at) }
  }

  package func alerts(
    of stack: StackID, after cursor: String?, limit: Int
  ) async throws(RegistryError) -> AlertPage {
    let page = try await read { session throws(RegistryError) in
      try session.alerts(of: stack, after: cursor, limit: limit)
    }
    // Opened here, so that the threads that read are free for others.
    let alerts = page.alerts.map { $0.open(keys) }
    return AlertPage(alerts: alerts, next: page.hasMore ? alerts.last?.id : nil, gap: page.gap)
  }
}

/// A page of alerts whose sealed columns are still closed.
private struct SealedAlertPage: Sendable {
  let alerts: [SealedAlert]
  let hasMore: Bool
  let gap: AlertGap?
}

extension Session {
  fileprivate func appendAlert(
    _ alert: NewAlert, to id: StackID, at: Int64
  ) throws(RegistryError) -> AppendedAlert {
    let row = try requireStack(id)
    let refDigest = alert.ref.map { keys.refDigest($0, of: id) }
    if let refDigest, let earlier = try newestAlert(of: row, refDigest: refDigest),
      earlier.moment == alert.moment
    {
      return AppendedAlert(id: earlier.id, isRepeat: true, kind: earlier.kind, wakes: false, deviceCount: 0)
    }

    let alertID = AlertID(epoch: row.stack.newest.epoch, number: row.stack.newest.number + 1)
    let wakes = alert.wakes ?? !row.stack.quiet.contains(alert.kind)
    try database.run(
      """
      UPDATE stacks SET newest = ?1, kinds = ?2, newest_waking = CASE WHEN ?3 THEN ?1 ELSE newest_waking END
      WHERE serial = ?4
      """,
      .integer(alertID.number), .kinds(row.stack.kinds + [alert.kind]), .integer(wakes ? 1 : 0),
      .integer(row.serial))
    let sealed = try SealedAlert.seal(alert, id: alertID, of: id, at: at, keys: keys, random: random)
    try database.run(
      """
      INSERT INTO alerts (stack, number, epoch, at, kind, moment, wakes, ref_digest, ref, event, alert)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(row.serial), .integer(alertID.number), .text(alertID.epoch), .integer(at),
      .text(alert.kind.name), .optional(alert.moment?.rawValue), .integer(wakes ? 1 : 0),
      .optional(refDigest), .optional(sealed.ref), .optional(sealed.event), .optional(sealed.alert))
    try database.run(
      "DELETE FROM alerts WHERE stack = ? AND number <= ?",
      .integer(row.serial), .integer(alertID.number - Int64(AlertRetention.alertsMaximum)))
    return AppendedAlert(
      id: alertID, isRepeat: false, kind: alert.kind, wakes: wakes,
      deviceCount: wakes ? try audience(of: row, alert.kind) : 0)
  }

  /// The epochs of a stack that ended with a restore, and the last number of each.
  private func endedEpochs(of stack: StackRow) throws(RegistryError) -> [String: Int64] {
    let rows = try database.all(
      "SELECT epoch, last FROM past_epochs WHERE stack = ?", .integer(stack.serial)
    ) { ($0.text(0), $0.integer(1)) }
    return Dictionary(rows) { $1 }
  }

  private func newestAlert(
    of stack: StackRow, refDigest: [UInt8]
  ) throws(RegistryError) -> (id: AlertID, kind: Kind, moment: Moment?)? {
    try database.first(
      """
      SELECT epoch, number, kind, moment FROM alerts
      WHERE stack = ? AND ref_digest = ? ORDER BY number DESC LIMIT 1
      """,
      .integer(stack.serial), .octets(refDigest)
    ) { row throws(RegistryError) in
      (
        AlertID(epoch: row.text(0), number: row.integer(1)), try row.value(2, Kind.self),
        try row.optionalValue(3, Moment.self)
      )
    }
  }

  /// Devices that have a subscription and do not mute `kind`.
  private func audience(of stack: StackRow, _ kind: Kind) throws(RegistryError) -> Int {
    let counts = try database.all(
      "SELECT muted, devices FROM audience WHERE stack = ? AND devices > 0", .integer(stack.serial)
    ) { row throws(RegistryError) in
      try row.kinds(0).contains(kind) ? 0 : Int(row.integer(1))
    }
    return counts.reduce(0, +)
  }

  /// The statement for a page: of a stack, after a number, so many.
  static let alertPage = """
    SELECT number, epoch, at, kind, moment, ref, event, alert FROM alerts
    WHERE stack = ? AND number > ? ORDER BY number LIMIT ?
    """

  fileprivate func alerts(
    of id: StackID, after cursor: String?, limit: Int
  ) throws(RegistryError) -> SealedAlertPage {
    try snapshot { () throws(RegistryError) in
      let row = try requireStack(id)
      let oldest = try database.first(
        "SELECT epoch, number FROM alerts WHERE stack = ? ORDER BY number LIMIT 1", .integer(row.serial)
      ) { AlertID(epoch: $0.text(0), number: $0.integer(1)) }
      let start = AlertCursor.resolve(
        cursor, oldest: oldest, newest: row.stack.newest, ended: try endedEpochs(of: row))
      // One more than asked for tells whether more follow.
      let limit = min(max(0, limit), AlertRetention.alertsMaximum)
      let rows = try database.all(
        Self.alertPage, .integer(row.serial), .integer(start.after), .limit(limit + 1)
      ) { row throws(RegistryError) in
        SealedAlert(
          stack: id, id: AlertID(epoch: row.text(1), number: row.integer(0)), at: row.integer(2),
          kind: try row.value(3, Kind.self), moment: try row.optionalValue(4, Moment.self),
          ref: row.optionalOctets(5), event: row.optionalOctets(6), alert: row.optionalOctets(7))
      }
      return SealedAlertPage(
        alerts: Array(rows.prefix(limit)), hasMore: rows.count > limit, gap: start.gap)
    }
  }
}
