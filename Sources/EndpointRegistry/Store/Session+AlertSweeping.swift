extension Session {
  /// The oldest alerts of the next stack, as far as they are old and not among the newest that are kept in any case.
  /// Never one from between two that stay: what is kept is one run of numbers, whatever the clock did.
  func oldAlerts(_ position: inout SweepPosition, at: Int64) throws(RegistryError) -> [SweepableRow] {
    guard position.alertsOf < .max else { return [] }
    let stack = try database.first(
      "SELECT serial, newest FROM stacks WHERE serial > ? ORDER BY serial LIMIT 1",
      .integer(position.alertsOf)
    ) { (serial: $0.integer(0), newest: $0.integer(1)) }
    guard let stack else {
      position.alertsOf = .max
      return []
    }
    let oldest = try database.all(
      "SELECT serial, at FROM alerts WHERE stack = ? AND number <= ? ORDER BY number LIMIT ?",
      .integer(stack.serial), .integer(stack.newest - Int64(AlertRetention.alerts)),
      .integer(SweepableRow.perStep)
    ) { (serial: $0.integer(0), at: $0.integer(1)) }
    let old = oldest.prefix { $0.at < at - AlertRetention.seconds * 1_000 }
    // Where there may be more, the same stack comes again.
    if old.count < Int(SweepableRow.perStep) { position.alertsOf = stack.serial }
    return old.map { .alert($0.serial) }
  }

  /// Push servers that have answered nothing for long and that no subscription is at.
  func forgottenPushServers(at: Int64) throws(RegistryError) -> [SweepableRow] {
    try database.all(
      """
      SELECT stack, origin FROM push_servers p WHERE last_at < ? AND NOT EXISTS (
        SELECT 1 FROM subscriptions u WHERE u.stack = p.stack AND u.push_server = p.origin)
      ORDER BY last_at LIMIT ?
      """,
      .integer(at - StackDelivery.rememberedMilliseconds), .integer(SweepableRow.perStep)
    ) { .pushServer(stack: $0.integer(0), origin: $0.text(1)) }
  }

  /// Forgets a push server if it still has answered nothing for long and nobody uses it.
  func forgetPushServer(_ origin: String, of stack: Int64, at: Int64) throws(RegistryError) {
    try database.run(
      """
      DELETE FROM push_servers WHERE stack = ?1 AND origin = ?2 AND last_at < ?3 AND NOT EXISTS (
        SELECT 1 FROM subscriptions u WHERE u.stack = ?1 AND u.push_server = ?2)
      """,
      .integer(stack), .text(origin), .integer(at - StackDelivery.rememberedMilliseconds))
  }
}
