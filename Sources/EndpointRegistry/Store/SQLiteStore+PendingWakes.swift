internal import KindCatalogue

extension SQLiteStore {
  package func pendingWakes(
    of stack: StackID, rules: WakeRules, after: DeviceID?, limit: Int, at: Int64
  ) async throws(RegistryError) -> PendingWakePage {
    let page = try await read { session throws(RegistryError) in
      try session.pendingWakes(of: stack, rules: rules, after: after, limit: limit, at: at)
    }
    return PendingWakePage(
      entries: page.devices.map { entry(of: $0, on: page) },
      next: page.devices.count < max(limit, 1) ? nil : page.devices.last?.target.device,
      newest: page.newest, windowMilliseconds: page.windowMilliseconds, kinds: page.kinds,
      rules: page.rules)
  }

  package func stacksToNudge() async throws(RegistryError) -> [StackID] {
    try await read { session throws(RegistryError) in try session.stacksToNudge() }
  }

  package func rules(of stacks: [StackID]) async throws(RegistryError) -> [StackID: Int64] {
    try await read { session throws(RegistryError) in
      var rules: [StackID: Int64] = [:]
      for stack in stacks {
        rules[stack] = try session.database.integer(
          "SELECT rules FROM stacks WHERE id = ?", .text(stack.text))
      }
      return rules
    }
  }

  private func entry(of row: SealedPendingWake, on page: SealedPendingPage) -> PendingWake {
    let heldUntil = row.target.hold.end(at: page.at)
    return PendingWake(
      device: row.target.device, pushServer: row.target.subscription.pushServer, muted: row.muted,
      stale: row.stale, due: row.due, newlyDue: row.newlyDue, windowEndsAt: row.windowEndsAt,
      heldUntil: heldUntil, isReady: row.due != nil && row.windowEndsAt == nil && heldUntil == nil,
      open: { [keys, vapidKeys] in
        try? row.target.open(
          stack: page.stack, generation: page.generation, catalogueVersion: page.catalogueVersion, keys: keys,
          vapidKeys: vapidKeys)
      }, reading: row.reading)
  }
}

/// A page of a fan-out whose sealed columns are still closed.
private struct SealedPendingPage: Sendable {
  let stack: StackID
  /// The time that it was read for.
  let at: Int64
  let generation: Int64
  let catalogueVersion: String
  let newest: AlertID
  let windowMilliseconds: Int64
  let kinds: [Kind]
  let rules: Int64
  let devices: [SealedPendingWake]
}

private struct SealedPendingWake: Sendable {
  let target: SealedWakeTarget
  let muted: AlertSpan?
  let stale: AlertSpan?
  let due: AlertSpan?
  let newlyDue: AlertSpan?
  let windowEndsAt: Int64?
  let reading: PendingWake.Reading
}

/// A device of a page as its row has it.
private struct PendingRow {
  let target: SealedWakeTarget
  let muted: [Kind]
  let seen: Int64
  let waiting: AlertSpan?
  let waitingAt: Int64
  let windowAt: Int64?
}

extension Session {
  fileprivate func stacksToNudge() throws(RegistryError) -> [StackID] {
    try database.all(
      """
      SELECT id FROM stacks s WHERE newest_waking > settled OR EXISTS (
        SELECT 1 FROM devices d WHERE d.stack = s.serial AND d.pending_count > 0 AND d.is_subscribed = 1)
      ORDER BY id
      """
    ) { row throws(RegistryError) in try row.stackID(0) }
  }

  fileprivate func pendingWakes(
    of id: StackID, rules: WakeRules, after: DeviceID?, limit: Int, at: Int64
  ) throws(RegistryError) -> SealedPendingPage {
    // One moment: what the alerts are, who has not been told of them, and which generation of subscriptions it is.
    try snapshot { () throws(RegistryError) in
      let stack = try requireStack(id)
      let window = stack.stack.windowSeconds.map { Int64($0) * 1_000 } ?? rules.windowMilliseconds
      let rows = try pendingRows(of: stack, after: after, limit: limit)
      var alerts = PendingAlerts(
        try wakingAlerts(of: stack, after: rows.map(\.seen).min()), staleBefore: at - rules.freshMilliseconds)
      return SealedPendingPage(
        stack: id, at: at, generation: try subscriptionGeneration(),
        catalogueVersion: CatalogueVersion(stack.stack.kinds).text, newest: stack.stack.newest,
        windowMilliseconds: window, kinds: alerts.kinds,
        rules: try database.integer("SELECT rules FROM stacks WHERE serial = ?", .integer(stack.serial)) ?? 0,
        devices: rows.map { row in
          let isWaitingStale = row.waitingAt < at - rules.freshMilliseconds
          let new = alerts.division(after: row.seen, muting: row.muted)
          let due = (isWaitingStale ? nil : row.waiting).joined(with: new.due)
          // A window that begins in the future is what a clock that has jumped left behind.
          let isOpen = row.windowAt.map { $0 <= at && at - $0 < window } ?? false
          return SealedPendingWake(
            target: row.target, muted: new.muted,
            stale: (isWaitingStale ? row.waiting : nil).joined(with: new.stale), due: due,
            newlyDue: new.due, windowEndsAt: isOpen ? row.windowAt.map { $0 + window } : nil,
            reading: PendingWake.Reading(
              seen: row.seen, pendingCount: Int64(row.waiting?.count ?? 0), windowAt: row.windowAt,
              windowMilliseconds: window, newest: stack.stack.newest.number,
              dueAt: new.dueAt ?? (due == nil ? nil : row.waitingAt)))
        })
    }
  }

  /// The statement for a page: of a stack, after a device, so many, and behind which number.
  static func pendingPage(isSettled: Bool) -> String {
    """
    SELECT d.id, d.muted, d.seen, d.pending_first, d.pending_last, d.pending_count, d.pending_at, d.window_at,
      \(SealedWakeTarget.columns)
    FROM devices d \(isSettled ? "INDEXED BY devices_pending" : "") \(SealedWakeTarget.joins)
    WHERE d.stack = ?1 AND d.id > ?2 AND d.is_subscribed = 1
      AND (\(isSettled ? "d.pending_count > 0" : "d.seen < ?4 OR d.pending_count > 0"))
    ORDER BY d.id LIMIT ?3
    """
  }

  /// The devices with a subscription that something is new to, or that wait. Once a whole fan-out has been through,
  /// nothing is new to anybody, and those that wait are found by an index of their own.
  private func pendingRows(
    of stack: StackRow, after: DeviceID?, limit: Int
  ) throws(RegistryError) -> [PendingRow] {
    let marks = try database.first(
      "SELECT newest_waking, settled FROM stacks WHERE serial = ?", .integer(stack.serial)
    ) { (newestWaking: $0.integer(0), settled: $0.integer(1)) }
    guard let marks else { throw .notFound }
    let epoch = stack.stack.newest.epoch
    let isSettled = marks.newestWaking <= marks.settled
    return try database.all(
      Self.pendingPage(isSettled: isSettled),
      values: [
        .integer(stack.serial), .text(after?.text ?? ""), .limit(max(limit, 1)),
      ] + (isSettled ? [] : [.integer(marks.newestWaking)])
    ) { row throws(RegistryError) in
      let count = Int(row.integer(5))
      guard count <= stack.stack.newest.number else {
        throw .damaged("a device that waits for more alerts than there are")
      }
      let waiting = AlertSpan(
        first: AlertID(epoch: epoch, number: row.integer(3)),
        last: AlertID(epoch: epoch, number: row.integer(4)), count: count)
      return PendingRow(
        target: SealedWakeTarget(row, from: 8, device: try row.deviceID(0)), muted: try row.kinds(1),
        seen: row.integer(2), waiting: count > 0 ? waiting : nil, waitingAt: row.integer(6),
        windowAt: row.optionalInteger(7))
    }
  }

  /// The waking alerts after a number; none where it is nil. Their sealed columns are not looked at.
  private func wakingAlerts(
    of stack: StackRow, after seen: Int64?
  ) throws(RegistryError) -> [PendingAlerts.Row] {
    guard let seen, seen < stack.stack.newest.number else { return [] }
    return try database.all(
      "SELECT number, epoch, kind, at FROM alerts WHERE stack = ? AND number > ? AND wakes = 1 ORDER BY number",
      .integer(stack.serial), .integer(seen)
    ) { row throws(RegistryError) in
      PendingAlerts.Row(
        id: AlertID(epoch: row.text(1), number: row.integer(0)), kind: try row.value(2, Kind.self),
        at: row.integer(3))
    }
  }
}
