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

  package func wakeTarget(_ device: DeviceID) async throws(RegistryError) -> WakeEntry? {
    let page = try await read { session throws(RegistryError) in try session.wakeTarget(device) }
    guard let page, let target = page.devices.first else { return nil }
    return entry(of: target, on: page)
  }

  private func entry(of row: SealedWakeTarget, on page: SealedWakePage) -> WakeEntry {
    if row.isMuted { return .muted(row.device) }
    do throws(RegistryError) {
      return .ready(
        try row.open(
          stack: page.stack, generation: page.generation, catalogueVersion: page.catalogueVersion, keys: keys,
          vapidKeys: vapidKeys))
    } catch {
      return .faulty(row.device)
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

extension Session {
  fileprivate func wakeTargets(
    of id: StackID, kind: Kind?, device: DeviceID?, after: DeviceID?, limit: Int
  ) throws(RegistryError) -> SealedWakePage {
    // One moment: the generation that is told is the one that these rows were read at.
    try snapshot { () throws(RegistryError) in
      let stack = try requireStack(id)
      let generation = try subscriptionGeneration()
      var sql = """
        SELECT d.id, d.muted, \(SealedWakeTarget.columns)
        FROM devices d \(SealedWakeTarget.joins)
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
        let isMuted = try kind.map { kind throws(RegistryError) in try row.kinds(1).contains(kind) }
        return SealedWakeTarget(row, from: 2, device: try row.deviceID(0), isMuted: isMuted ?? false)
      }
      return SealedWakePage(
        stack: id, generation: generation, catalogueVersion: CatalogueVersion(stack.stack.kinds).text,
        devices: devices)
    }
  }

  /// The store-wide count of subscription changes.
  func subscriptionGeneration() throws(RegistryError) -> Int64 {
    guard let generation = try database.integer("SELECT generation FROM store") else {
      throw .damaged(database.path)
    }
    return generation
  }

  fileprivate func wakeTarget(_ id: DeviceID) throws(RegistryError) -> SealedWakePage? {
    let stack = try database.first(
      "SELECT s.id FROM devices d JOIN stacks s ON s.serial = d.stack WHERE d.id = ?", .text(id.text)
    ) { row throws(RegistryError) in try row.stackID(0) }
    return try stack.map { stack throws(RegistryError) in
      try wakeTargets(of: stack, kind: nil, device: id, after: nil, limit: 1)
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
