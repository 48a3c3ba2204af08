extension SQLiteStore {
  package func overview(at: Int64) async throws(RegistryError) -> StoreOverview {
    let (stacks, totals) = try await read { session throws(RegistryError) in
      try session.snapshot { () throws(RegistryError) in
        (try session.stackIDs(), try session.totals(at: at))
      }
    }
    var overview = totals
    overview.stacks = stacks.count
    // Stack by stack, so that nobody else's read waits for all of them.
    for stack in stacks {
      let states = try await read { session throws(RegistryError) -> [DeviceState: Int] in
        do throws(RegistryError) {
          return try session.deviceStates(of: session.requireStack(stack), at: at)
        } catch .notFound {
          return [:]
        }
      }
      overview.devices.merge(states) { $0 + $1 }
    }
    return overview
  }

  /// Calls that wait for the writer, and for those who read.
  package var waitingCounts: (writes: Int, reads: Int) { (writer.waitingCount, readers.waitingCount) }
}

extension Session {
  fileprivate func stackIDs() throws(RegistryError) -> [StackID] {
    try database.all("SELECT id FROM stacks ORDER BY id") { row throws(RegistryError) in try row.stackID(0) }
  }

  /// All but the devices' states.
  fileprivate func totals(at: Int64) throws(RegistryError) -> StoreOverview {
    func count(_ sql: String, _ values: SQLiteValue...) throws(RegistryError) -> Int {
      try database.all(sql, values: values) { Int($0.integer(0)) }.first ?? 0
    }
    var overview = StoreOverview()
    overview.devicesWaiting = try count(
      "SELECT count(*) FROM devices WHERE pending_count > 0 AND is_subscribed = 1")
    overview.endpointHolds = try count(
      "SELECT count(*) FROM endpoint_holds WHERE \(Self.isInEffect("until", at: "?1"))", .integer(at))
    overview.originHolds = try count(
      "SELECT count(*) FROM origin_holds WHERE \(Self.isInEffect("until", at: "?1"))", .integer(at))
    overview.lastReceiptAt = try database.first("SELECT max(last_receipt_at) FROM devices") { row in
      row.optionalInteger(0)
    }.flatMap { $0 }
    // A kind that every subscribed device of the stack mutes wakes nobody.
    overview.unansweredAlertAt = try database.first(
      """
      SELECT min(a.at) FROM alerts a WHERE a.wakes = 1 AND a.at > ? AND EXISTS (
        SELECT 1 FROM audience u WHERE u.stack = a.stack AND u.devices > 0
          AND instr(',' || u.muted || ',', ',' || a.kind || ',') = 0)
      """, .integer(overview.lastReceiptAt ?? 0)
    ) { row in row.optionalInteger(0) }.flatMap { $0 }
    return overview
  }
}
