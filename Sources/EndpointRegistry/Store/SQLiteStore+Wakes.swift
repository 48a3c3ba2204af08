package import KindCatalogue
internal import WebPushCrypto

extension SQLiteStore {
  package func wakeTargets(
    of stack: StackID, kind: Kind?, device: DeviceID?, after: DeviceID?, limit: Int
  ) async throws(RegistryError) -> [WakeEntry] {
    let page = try await read { session throws(RegistryError) in
      try session.wakeTargets(of: stack, kind: kind, device: device, after: after, limit: limit)
    }
    // Opened here, so that the threads that read are free for others.
    return page.devices.map { entry(of: $0, on: page) }
  }

  private func entry(of row: SealedWakeTarget, on page: SealedWakePage) -> WakeEntry {
    if row.isMuted { return .muted(row.subscription.device) }
    do throws(RegistryError) {
      let subscription = try row.subscription.open(keys)
      return .ready(
        WakeTarget(
          device: row.subscription.device, stack: page.stack, subscription: subscription,
          vapidKey: try vapidKeys.pair(row.vapidPublicKey, sealed: row.vapidPrivateKey, keys: keys),
          topicSecret: keys.topicSecret(subscription.endpoint.url), endpointDigest: row.endpointDigest,
          generation: page.generation, catalogueVersion: page.catalogueVersion))
    } catch {
      return .faulty(row.subscription.device)
    }
  }

  package func erase(
    endpointDigest: [UInt8], unchangedSince generation: Int64, status: Int, pushServer: String, at: Int64
  ) async throws(RegistryError) -> [DeviceID] {
    let gone = Gone(at: at, pushServer: pushServer, status: status)
    return try await write { session throws(RegistryError) in
      try session.erase(endpointDigest, unchangedSince: generation, gone)
    }
  }
}

/// A page of a fan-out whose sealed columns are still closed.
private struct SealedWakePage: Sendable {
  let stack: StackID
  let generation: Int64
  let catalogueVersion: String
  let devices: [SealedWakeTarget]
}

private struct SealedWakeTarget: Sendable {
  let isMuted: Bool
  let subscription: SealedSubscription
  let endpointDigest: [UInt8]
  let vapidPublicKey: String
  let vapidPrivateKey: [UInt8]
}

extension Session {
  fileprivate func wakeTargets(
    of id: StackID, kind: Kind?, device: DeviceID?, after: DeviceID?, limit: Int
  ) throws(RegistryError) -> SealedWakePage {
    // One moment: the generation that is told is the one that these rows were read at.
    try snapshot { () throws(RegistryError) in
      let stack = try requireStack(id)
      guard let generation = try database.integer("SELECT generation FROM store") else {
        throw .damaged(database.path)
      }
      var sql = """
        SELECT d.id, d.muted, u.is_temporary, u.endpoint, u.p256dh, u.auth, u.push_server, u.endpoint_digest,
          v.public_key, v.private_key
        FROM devices d
        JOIN subscriptions u ON u.device = d.serial
          AND u.is_temporary = (SELECT max(x.is_temporary) FROM subscriptions x WHERE x.device = d.serial)
        JOIN vapid_keys v ON v.serial = u.vapid_key
        WHERE d.stack = ? AND d.id > ?
        """
      var values: [SQLiteValue] = [.integer(stack.serial), .text(after?.text ?? "")]
      if let device {
        sql += " AND d.id = ?"
        values.append(.text(device.text))
      }
      sql += " ORDER BY d.id LIMIT ?"
      values.append(.limit(limit))
      let devices = try database.all(sql, values: values) { row throws(RegistryError) in
        SealedWakeTarget(
          isMuted: try kind.map { kind throws(RegistryError) in try row.kinds(1).contains(kind) } ?? false,
          subscription: SealedSubscription(
            device: try row.deviceID(0), isTemporary: row.truth(2), endpoint: row.octets(3),
            p256dh: row.octets(4), auth: row.octets(5), pushServer: row.text(6)),
          endpointDigest: row.octets(7), vapidPublicKey: row.text(8), vapidPrivateKey: row.octets(9))
      }
      return SealedWakePage(
        stack: id, generation: generation, catalogueVersion: CatalogueVersion(stack.stack.kinds).text,
        devices: devices)
    }
  }

  fileprivate func erase(
    _ endpointDigest: [UInt8], unchangedSince generation: Int64, _ gone: Gone
  ) throws(RegistryError) -> [DeviceID] {
    let holders = try database.all(
      """
      SELECT d.serial, d.id, d.stack FROM subscriptions u JOIN devices d ON d.serial = u.device
      WHERE u.endpoint_digest = ? AND u.generation <= ? ORDER BY d.id
      """,
      .octets(endpointDigest), .integer(generation), read: Self.deviceRow)
    for holder in holders {
      // Where a stand-in dies, the primary is in use again, and nothing is known of its delivery.
      _ = try watchingSubscription(of: holder) { () throws(RegistryError) in
        try database.run(
          "DELETE FROM subscriptions WHERE device = ? AND endpoint_digest = ?",
          .integer(holder.serial), .octets(endpointDigest))
      }
      try database.run(
        """
        UPDATE devices SET gone_at = ?, gone_push_server = ?, gone_status = ?
        WHERE serial = ? AND is_subscribed = 0
        """,
        .integer(gone.at), .text(gone.pushServer), .integer(gone.status), .integer(holder.serial))
    }
    return holders.map(\.id)
  }
}
