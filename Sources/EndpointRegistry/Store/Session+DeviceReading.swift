internal import CryptoPrimitives

extension Session {
  /// The subscription in use is the stand-in while there is one.
  private static let deviceColumns = """
    SELECT d.id, s.id, s.label, d.label, d.muted, d.since, d.last_outcome, d.has_receipt, d.last_wake_at,
      d.last_receipt_at, d.gone_at, d.gone_push_server, d.gone_status, u.is_temporary, u.push_server,
      u.endpoint_digest, d.unanswered, d.unanswered_since, \(holdColumns)
    FROM devices d JOIN stacks s ON s.serial = d.stack
    LEFT JOIN subscriptions u ON u.device = d.serial
      AND u.is_temporary = (SELECT max(x.is_temporary) FROM subscriptions x WHERE x.device = d.serial)
    \(holdJoins)
    """

  /// The device of that id, or nil.
  func device(_ id: DeviceID) throws(RegistryError) -> Device? {
    try database.first(Self.deviceColumns + " WHERE d.id = ?", .text(id.text), read: Self.device)
  }

  /// A page of devices, in the order of their ids.
  func devices(_ filter: DeviceFilter, after: DeviceID?, limit: Int) throws(RegistryError) -> [Device] {
    var conditions = ["d.id > ?"]
    var values: [SQLiteValue] = [.text(after?.text ?? "")]
    if let stack = filter.stack {
      conditions.append("d.stack = (SELECT serial FROM stacks WHERE id = ?)")
      values.append(.text(stack.text))
    }
    if let limit = filter.silentSince {
      conditions.append("max(d.since, coalesce(d.last_receipt_at, 0)) < ?")
      values.append(.integer(limit))
    }
    return try database.all(
      Self.deviceColumns + " WHERE \(conditions.joined(separator: " AND ")) ORDER BY d.id LIMIT ?",
      values: values + [.limit(limit)], read: Self.device)
  }

  /// A page of the devices of a stack whose subscriptions hang on a VAPID key that is not the current one.
  func devices(
    onReplacedKeyOf stack: StackRow, after: DeviceID?, limit: Int
  ) throws(RegistryError) -> [Device] {
    try database.all(
      Self.deviceColumns
        + """
         WHERE d.stack = ?1 AND d.id > ?2 AND d.serial IN (SELECT x.device FROM subscriptions x
          JOIN vapid_keys v ON v.serial = x.vapid_key WHERE v.stack = ?1 AND v.is_current = 0)
        ORDER BY d.id LIMIT ?3
        """,
      .integer(stack.serial), .text(after?.text ?? ""), .limit(limit), read: Self.device)
  }

  /// The devices that hold an endpoint, as their primary or as their stand-in.
  func devices(holding endpointURL: String) throws(RegistryError) -> [Device] {
    try database.all(
      Self.deviceColumns
        + " WHERE d.serial IN (SELECT device FROM subscriptions WHERE endpoint_digest = ?) ORDER BY d.id",
      .octets(keys.endpointDigest(endpointURL)), read: Self.device)
  }

  private static func device(_ row: Statement) throws(RegistryError) -> Device {
    let pushServer = row.optionalText(14)
    var gone: Gone?
    if let at = row.optionalInteger(10) {
      gone = Gone(at: at, pushServer: row.text(11), status: Int(row.integer(12)))
    }
    let facts = DeliveryFacts(
      hasSubscription: pushServer != nil, isGone: gone != nil,
      lastOutcome: try row.optionalValue(6, AttemptOutcome.self), hasReceipt: row.truth(7),
      hasEverAnswered: row.optionalInteger(9) != nil, unanswered: Int(row.integer(16)),
      unansweredSince: row.optionalInteger(17), hold: hold(row, from: 18))
    return Device(
      id: try row.deviceID(0), stack: try row.stackID(1), stackLabel: row.text(2), label: row.optionalText(3),
      delivery: facts, pushServer: pushServer, temporary: row.truth(13),
      muted: try row.kinds(4), since: row.integer(5), lastWakeAt: row.optionalInteger(8),
      lastReceiptAt: row.optionalInteger(9), gone: gone,
      endpointDigest: row.optionalOctets(15).map(shown))
  }

  /// The part of an endpoint's digest that is shown.
  static func shown(_ digest: [UInt8]) -> String { Hex.encode(Array(digest.prefix(shownDigestLength))) }

  /// Octets of the keyed digest that are shown: 1 in 4 billion for two endpoints to look the same.
  private static let shownDigestLength = 4
}
