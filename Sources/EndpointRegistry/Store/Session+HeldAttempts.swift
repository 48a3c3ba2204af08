/// Wakes that were begun and did not go out: a pause began meanwhile, or their push server fell silent.
extension Session {
  /// An attempt that has ended as `held` or `coalesced` woke nobody: its device is still to be told of what it stood for, or is still
  /// owed its activation wake, unless its subscription is another one by now.
  func putBack(_ attempt: AttemptID) throws(RegistryError) {
    try database.run("UPDATE attempts SET receipt = NULL WHERE id = ?", .integer(attempt))
    try closeWindow(ofAttempt: attempt)
    let row = try database.first(
      "SELECT device, purpose, alert_first, alert_last, alert_count, stack, at FROM attempts WHERE id = ?",
      .integer(attempt)
    ) { row throws(RegistryError) in
      (
        device: row.text(0), purpose: try row.value(1, AttemptPurpose.self),
        first: try row.optionalAlertID(2),
        last: try row.optionalAlertID(3), count: row.integer(4), stack: row.integer(5), at: row.integer(6)
      )
    }
    guard let row else { return }
    if row.purpose == .activation {
      try database.run(
        "UPDATE devices SET activation_owed = 1 WHERE id = ? AND subscribed_after < ?", .text(row.device),
        .integer(attempt))
    }
    guard row.purpose == .alert, let first = row.first, let last = row.last else { return }
    let raisedAt = try database.integer(
      "SELECT at FROM alerts WHERE stack = ? AND number = ?", .integer(row.stack), .integer(last.number))
    try database.run(
      """
      UPDATE devices SET pending_first = min(coalesce(pending_first, ?1), ?1),
        pending_last = max(coalesce(pending_last, ?2), ?2), pending_count = pending_count + ?3,
        pending_at = max(coalesce(pending_at, ?4), ?4)
      WHERE id = ?5 AND is_subscribed = 1 AND subscribed_after < ?6
      """,
      .integer(first.number), .integer(last.number), .integer(row.count), .integer(raisedAt ?? row.at),
      .text(row.device), .integer(attempt))
  }

  /// The window that began with an attempt is over: what it sent was not taken, and a pause says when the next may go.
  func closeWindow(ofAttempt attempt: AttemptID) throws(RegistryError) {
    try database.run(
      """
      UPDATE devices SET window_at = NULL
      WHERE (id, window_at) = (SELECT device, at FROM attempts WHERE id = ? AND purpose = ?)
      """,
      .integer(attempt), .text(AttemptPurpose.alert.rawValue))
  }
}
