internal import WebPushCrypto

/// A subscription's row. What cannot be opened counts as different from anything given, which replaces it.
struct SubscriptionRow {
  let isTemporary: Bool
  let endpointDigest: [UInt8]
  let vapidKey: Int64
  let generation: Int64
  let sealed: SealedSubscription
}

extension Session {
  /// Runs `body` and returns whether the subscription in use is another one afterwards, and is one at all.
  /// Then what was known of the delivery to the one before no longer counts.
  func watchingSubscription(
    of device: DeviceRow, _ body: () throws(RegistryError) -> Void
  ) throws(RegistryError) -> Bool {
    let before = try subscriptions(of: device).last
    try body()
    guard let after = try subscriptions(of: device).last else { return false }
    if let before, before.generation == after.generation || isSame(before, after) { return false }
    try database.run(
      """
      UPDATE devices SET last_outcome = NULL, has_receipt = 0, gone_at = NULL, gone_push_server = NULL,
        gone_status = NULL, unanswered = 0, unanswered_since = NULL, last_attempt = ?2, subscribed_after = ?2
      WHERE serial = ?1
      """,
      .integer(device.serial), .integer(try database.integer("SELECT max(id) FROM attempts") ?? 0))
    return true
  }

  /// What was raised so far wakes this device no more: an activation wake, which is owed from now on, has its companion
  /// read all of it. Its window stays.
  func passOverAlerts(of device: DeviceRow) throws(RegistryError) {
    try database.run(
      """
      UPDATE devices SET seen = (SELECT newest FROM stacks WHERE serial = devices.stack),
        pending_first = NULL, pending_last = NULL, pending_count = 0, pending_at = NULL,
        activation_owed = 1
      WHERE serial = ?
      """,
      .integer(device.serial))
  }

  /// Gives a device a subscription: the stand-in, or the primary, which drops the stand-in unless `keepsStandIn`
  /// says that the primary is there already. An endpoint is held once per stack: another device that holds it loses
  /// it, and is removed by that where `mergingAt` says when and it has no other.
  func give(
    _ subscription: PushSubscription, to device: DeviceRow, isTemporary: Bool, vapidKey: Change<String>,
    keepsStandIn: Bool = false, mergingAt: Int64? = nil
  ) throws(RegistryError) {
    let digest = keys.endpointDigest(subscription.endpoint.url)
    let own = try subscriptions(of: device)
    let known = own.first { $0.endpointDigest == digest }
    // A stand-in with the primary's endpoint stands for nothing: the primary is meant.
    let isTemporary = isTemporary && known?.isTemporary != false
    if !isTemporary, !keepsStandIn, own.contains(where: \.isTemporary) {
      try takeSubscription(of: device, isTemporary: true)
    }
    try takeEndpoint(digest, fromOthersThan: device, mergingAt: mergingAt)

    let key = try vapidKeySerial(vapidKey, known: known?.vapidKey, stack: device.stack)
    if let known, known.isTemporary == isTemporary, known.vapidKey == key,
      (try? known.sealed.open(keys)) == subscription
    {
      return
    }
    let prepared = try PreparedSubscription(
      subscription, of: device.id, isTemporary: isTemporary, keys: keys, random: random)
    try put(prepared, to: device, isTemporary: isTemporary, vapidKey: key)
  }

  /// Writes the row of a device's primary or stand-in.
  func put(
    _ subscription: PreparedSubscription, to device: DeviceRow, isTemporary: Bool, vapidKey: Int64
  ) throws(RegistryError) {
    try database.run(
      """
      INSERT INTO subscriptions (device, is_temporary, stack, endpoint_digest, endpoint, p256dh, auth,
        push_server, vapid_key, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (device, is_temporary) DO UPDATE SET endpoint_digest = excluded.endpoint_digest,
        endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
        push_server = excluded.push_server, vapid_key = excluded.vapid_key, generation = excluded.generation
      """,
      .integer(device.serial), .integer(isTemporary ? 1 : 0), .integer(device.stack),
      .octets(subscription.endpointDigest), .octets(subscription.endpoint), .octets(subscription.p256dh),
      .octets(subscription.auth), .text(subscription.pushServer), .integer(vapidKey),
      .integer(try nextGeneration()))
  }

  /// Takes the primary or the stand-in away, where there is one.
  func takeSubscription(of device: DeviceRow, isTemporary: Bool) throws(RegistryError) {
    try database.run(
      "DELETE FROM subscriptions WHERE device = ? AND is_temporary = ?",
      .integer(device.serial), .integer(isTemporary ? 1 : 0))
    if database.changes > 0 { _ = try nextGeneration() }
  }

  /// Takes away what was made with a VAPID key that is not the current one.
  func takeSubscriptionsOnReplacedKeys(of device: DeviceRow) throws(RegistryError) {
    try database.run(
      """
      DELETE FROM subscriptions
      WHERE device = ? AND vapid_key IN (SELECT serial FROM vapid_keys WHERE stack = ? AND is_current = 0)
      """,
      .integer(device.serial), .integer(device.stack))
    if database.changes > 0 { _ = try nextGeneration() }
  }

  /// The keys of the primary or the stand-in.
  func knownKeys(of device: DeviceRow, isTemporary: Bool) throws(RegistryError) -> UserAgentKeys? {
    try opened(of: device, isTemporary: isTemporary)?.keys
  }

  /// The endpoint of the primary or the stand-in.
  func knownEndpoint(of device: DeviceRow, isTemporary: Bool) throws(RegistryError) -> Endpoint? {
    try opened(of: device, isTemporary: isTemporary)?.endpoint
  }

  private func opened(of device: DeviceRow, isTemporary: Bool) throws(RegistryError) -> PushSubscription? {
    let row = try subscriptions(of: device).first { $0.isTemporary == isTemporary }
    return try? row?.sealed.open(keys)
  }

  /// Whether two rows hold the same subscription, made with the same VAPID key. Opening them is the last resort: it
  /// costs more than all else.
  private func isSame(_ one: SubscriptionRow, _ other: SubscriptionRow) -> Bool {
    guard one.endpointDigest == other.endpointDigest, one.vapidKey == other.vapidKey,
      let subscription = try? one.sealed.open(keys)
    else { return false }
    return subscription == (try? other.sealed.open(keys))
  }

  /// Says which VAPID key the primary or the stand-in was made with. Without a subscription it is checked alone.
  func setVAPIDKey(
    _ change: Change<String>, of device: DeviceRow, isTemporary: Bool
  ) throws(RegistryError) {
    if case .keep = change { return }
    let key = try vapidKeySerial(change, known: nil, stack: device.stack)
    guard let row = try subscriptions(of: device).first(where: { $0.isTemporary == isTemporary }),
      row.vapidKey != key
    else { return }
    try database.run(
      "UPDATE subscriptions SET vapid_key = ?, generation = ? WHERE device = ? AND is_temporary = ?",
      .integer(key), .integer(try nextGeneration()), .integer(device.serial), .integer(isTemporary ? 1 : 0))
  }

  /// The primary and then the stand-in, as far as they are there: the last one is in use.
  private func subscriptions(of device: DeviceRow) throws(RegistryError) -> [SubscriptionRow] {
    try database.all(
      """
      SELECT is_temporary, endpoint_digest, vapid_key, generation, endpoint, p256dh, auth, push_server
      FROM subscriptions WHERE device = ? ORDER BY is_temporary
      """,
      .integer(device.serial)
    ) { row in
      SubscriptionRow(
        isTemporary: row.truth(0), endpointDigest: row.octets(1), vapidKey: row.integer(2),
        generation: row.integer(3),
        sealed: SealedSubscription(
          device: device.id, isTemporary: row.truth(0), endpoint: row.octets(4), p256dh: row.octets(5),
          auth: row.octets(6), pushServer: row.text(7)))
    }
  }

  private func takeEndpoint(
    _ digest: [UInt8], fromOthersThan device: DeviceRow, mergingAt: Int64?
  ) throws(RegistryError) {
    let holder = try database.first(
      """
      SELECT d.serial, d.id, d.stack FROM subscriptions u JOIN devices d ON d.serial = u.device
      WHERE u.endpoint_digest = ? AND u.stack = ? AND u.device <> ?
      """,
      .octets(digest), .integer(device.stack), .integer(device.serial), read: Self.deviceRow)
    guard let holder else { return }
    // As in `erase`: a primary behind the stand-in that is lost is in use again.
    _ = try watchingSubscription(of: holder) { () throws(RegistryError) in
      try database.run(
        "DELETE FROM subscriptions WHERE device = ? AND endpoint_digest = ?",
        .integer(holder.serial), .octets(digest))
    }
    guard let mergingAt, try subscriptions(of: holder).isEmpty else { return }
    try removeDevice(holder, at: mergingAt)
  }

  /// The key that is named; one that is not is the one that was known for this endpoint, or the current one.
  func vapidKeySerial(
    _ named: Change<String>, known: Int64?, stack: Int64
  ) throws(RegistryError) -> Int64 {
    let serial: Int64?
    switch named {
    case .set(let publicKey):
      serial = try database.integer(
        "SELECT serial FROM vapid_keys WHERE stack = ? AND public_key = ?", .integer(stack), .text(publicKey))
    case .keep where known != nil:
      serial = known
    case .keep, .remove:
      serial = try database.integer(
        "SELECT serial FROM vapid_keys WHERE stack = ? AND is_current = 1", .integer(stack))
    }
    guard let serial else { throw .vapidKeyUnknown }
    return serial
  }

  private func nextGeneration() throws(RegistryError) -> Int64 {
    let generation = try database.integer("UPDATE store SET generation = generation + 1 RETURNING generation")
    guard let generation else { throw .damaged(database.path) }
    return generation
  }
}
