extension SQLiteStore {
  package func sweep(
    _ retention: Retention, from position: SweepPosition, at: Int64
  ) async throws(RegistryError) -> SweepStep {
    // Found by a reader, so that the writer has but the removing to do, and nothing where there is nothing.
    let found = try await read { session throws(RegistryError) in
      try session.sweepable(retention, from: position, at: at)
    }
    guard !found.rows.isEmpty else { return SweepStep(next: found.next) }
    return try await write { session throws(RegistryError) in
      var step = SweepStep(next: found.next)
      for row in found.rows where try session.remove(row, retention, at: at) {
        step.removed[row.subject, default: 0] += 1
      }
      return step
    }
  }
}

/// Attempts that one step looks at, and those that it may skip to find a stack's oldest that are too many.
private let attemptsPerStep: Int64 = 5_000

extension Session {
  fileprivate func sweepable(
    _ retention: Retention, from position: SweepPosition, at: Int64
  ) throws(RegistryError) -> (rows: [SweepableRow], next: SweepPosition?) {
    let first = position == SweepPosition()
    var rows: [SweepableRow] = []
    // Short lists, by an index each: once a round, the rest of one that is long in the next.
    if first {
      rows += try database.all(
        "SELECT digest FROM pairings WHERE expires_at < ? ORDER BY expires_at LIMIT ?",
        .integer(at - retention.pairingMilliseconds), .integer(SweepableRow.perStep)
      ) { .pairing($0.octets(0)) }
      rows += try database.all(
        "SELECT serial FROM devices WHERE gone_at < ? ORDER BY gone_at LIMIT ?",
        .integer(at - retention.goneMilliseconds), .integer(SweepableRow.perStep)
      ) { .device($0.integer(0)) }
      rows += try database.all(
        "SELECT digest FROM device_tokens WHERE revoked_at < ? ORDER BY revoked_at LIMIT ?",
        .integer(at - retention.revokedTokenMilliseconds), .integer(SweepableRow.perStep)
      ) { .revokedToken($0.octets(0)) }
      rows += try database.all(
        """
        SELECT serial FROM vapid_keys v WHERE replaced_at < ?
          AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE vapid_key = v.serial) ORDER BY replaced_at LIMIT ?
        """,
        .integer(at - retention.replacedKeyMilliseconds), .integer(SweepableRow.perStep)
      ) { .vapidKey($0.integer(0)) }
      rows += try forgottenPushServers(at: at)
      rows += try forgottenHolds(at: at)
    }
    var next = position
    rows += try oldAttempts(retention, &next, at: at)
    rows += try surplusAttempts(retention, &next)
    rows += try oldAlerts(&next, at: at)
    let isOver = next.attempt == .max && next.stack == .max && next.alertsOf == .max
    return (rows, isOver ? nil : next)
  }

  /// The old ones among the next attempts. All are looked at in turn: where the clock has jumped, age and number
  /// do not go together.
  private func oldAttempts(
    _ retention: Retention, _ position: inout SweepPosition, at: Int64
  ) throws(RegistryError) -> [SweepableRow] {
    guard position.attempt < .max else { return [] }
    let window = try database.all(
      "SELECT id, at FROM attempts WHERE id > ? ORDER BY id LIMIT ?",
      .integer(position.attempt), .integer(attemptsPerStep)
    ) { (id: $0.integer(0), at: $0.integer(1)) }
    let limit = at - retention.attemptMilliseconds
    let old = window.filter { $0.at < limit }.prefix(Int(SweepableRow.perStep))
    if old.count == Int(SweepableRow.perStep), let last = old.last {
      position.attempt = last.id
    } else {
      position.attempt = window.count < Int(attemptsPerStep) ? .max : window[window.count - 1].id
    }
    return old.map { .attempt($0.id) }
  }

  /// The oldest attempts of the next stack, as far as it has too many.
  private func surplusAttempts(
    _ retention: Retention, _ position: inout SweepPosition
  ) throws(RegistryError) -> [SweepableRow] {
    guard position.stack < .max else { return [] }
    let stack = try database.integer(
      "SELECT serial FROM stacks WHERE serial > ? ORDER BY serial LIMIT 1", .integer(position.stack))
    guard let stack else {
      position.stack = .max
      return []
    }
    let newestSurplus = try database.integer(
      "SELECT id FROM attempts WHERE stack = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
      .integer(stack), .integer(Int64(max(0, retention.attemptsPerStack))))
    guard let newestSurplus else {
      position.stack = stack
      return []
    }
    let surplus = try database.all(
      "SELECT id FROM attempts WHERE stack = ? AND id <= ? ORDER BY id LIMIT ?",
      .integer(stack), .integer(newestSurplus), .integer(SweepableRow.perStep)
    ) { $0.integer(0) }
    // Where there are more, the same stack comes again.
    if surplus.last == newestSurplus { position.stack = stack }
    return surplus.map { .attempt($0) }
  }

  /// Removes a row if its time is still over; false where it is not, or it is not there any more.
  fileprivate func remove(
    _ row: SweepableRow, _ retention: Retention, at: Int64
  ) throws(RegistryError) -> Bool {
    switch row {
    case .alert(let serial):
      try database.run("DELETE FROM alerts WHERE serial = ?", .integer(serial))
    case .attempt(let id):
      try database.run("DELETE FROM attempts WHERE id = ?", .integer(id))
    case .endpointHold(let digest):
      try forgetHold(ofEndpoint: digest, at: at)
    case .originHold(let origin):
      try forgetHold(ofOrigin: origin, at: at)
    case .pairing(let digest):
      try database.run("DELETE FROM pairings WHERE digest = ?", .octets(digest))
    case .pushServer(let stack, let origin):
      try forgetPushServer(origin, of: stack, at: at)
    case .revokedToken(let digest):
      try database.run("DELETE FROM device_tokens WHERE digest = ?", .octets(digest))
    case .vapidKey(let serial):
      // Somebody may hang on it, or have begun to meanwhile.
      try database.run(
        "DELETE FROM vapid_keys WHERE serial = ? AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE vapid_key = ?)",
        .integer(serial), .integer(serial))
    case .device(let serial):
      let device = try database.first(
        "SELECT serial, id, stack FROM devices WHERE serial = ? AND gone_at < ? AND is_subscribed = 0",
        .integer(serial), .integer(at - retention.goneMilliseconds), read: Self.deviceRow)
      guard let device else { return false }
      try removeDevice(device, at: at)
      return true
    }
    return database.changes > 0
  }
}
