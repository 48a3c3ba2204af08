internal import KindCatalogue
internal import WebPushCrypto

extension SQLiteStore {
  package func device(_ id: DeviceID) async throws(RegistryError) -> Device? {
    try await read { session throws(RegistryError) in try session.device(id) }
  }

  package func wasRevoked(_ id: DeviceID) async throws(RegistryError) -> Bool {
    try await read { session throws(RegistryError) in try session.wasRevoked(id) }
  }

  package func devices(
    _ filter: DeviceFilter, after: DeviceID?, limit: Int
  ) async throws(RegistryError) -> [Device] {
    try await read { session throws(RegistryError) in
      try session.devices(filter, after: after, limit: limit)
    }
  }

  package func devices(holding endpointURL: String) async throws(RegistryError) -> [Device] {
    try await read { session throws(RegistryError) in try session.devices(holding: endpointURL) }
  }

  package func updateDevice(
    _ id: DeviceID, _ change: DeviceChange, at: Int64
  ) async throws(RegistryError) -> DeviceUpdate {
    try await write { session throws(RegistryError) in try session.updateDevice(id, change) }
  }

  package func removeDevice(_ id: DeviceID, at: Int64) async throws(RegistryError) {
    try await writeOwed { session throws(RegistryError) in
      try session.removeDevice(session.requireDevice(id), at: at)
    }
  }
}

/// What a device's row is called inside the store.
struct DeviceRow: Sendable {
  let serial: Int64
  let id: DeviceID
  /// The serial of its stack.
  let stack: Int64
}

extension Session {
  /// The row of that id, or nil.
  func deviceRow(_ id: DeviceID) throws(RegistryError) -> DeviceRow? {
    try database.first(
      "SELECT serial, id, stack FROM devices WHERE id = ?", .text(id.text), read: Self.deviceRow)
  }

  /// The row of that id; `gone` where it was revoked, `notFound` where it never was.
  fileprivate func requireDevice(_ id: DeviceID) throws(RegistryError) -> DeviceRow {
    if let row = try deviceRow(id) { return row }
    throw try wasRevoked(id) ? .gone : .notFound
  }

  /// The row that `SELECT serial, id, stack FROM devices` is at.
  static func deviceRow(_ row: Statement) throws(RegistryError) -> DeviceRow {
    DeviceRow(serial: row.integer(0), id: try row.deviceID(1), stack: row.integer(2))
  }

  fileprivate func updateDevice(
    _ id: DeviceID, _ change: DeviceChange
  ) throws(RegistryError) -> DeviceUpdate {
    let row = try requireDevice(id)
    switch change.label {
    case .keep: break
    case .remove: try setLabel(nil, of: row)
    case .set(let label): try setLabel(label, of: row)
    }
    switch change.muted {
    case .keep: break
    case .remove: try setMuted([], of: row)
    case .set(let kinds): try setMuted(kinds, of: row)
    }
    let changed = try watchingSubscription(of: row) { () throws(RegistryError) in
      try apply(change, to: row)
    }
    if changed { try passOverAlerts(of: row) }
    guard let device = try device(id) else { throw .notFound }
    return DeviceUpdate(device: device, subscriptionChanged: changed)
  }

  private func apply(_ change: DeviceChange, to row: DeviceRow) throws(RegistryError) {
    let isTemporary = change.temporary ?? false
    switch (change.subscription, change.endpoint, change.keys) {
    case (.set(let subscription), _, _):
      try give(subscription, to: row, isTemporary: isTemporary, vapidKey: change.vapidPublicKey)
    case (.remove, _, _), (_, .remove, _), (.keep, .keep, .remove):
      try takeSubscription(of: row, isTemporary: isTemporary)
    case (.keep, .set(let endpoint), .set(let keys)):
      try give(
        .init(endpoint: endpoint, keys: keys), to: row, isTemporary: isTemporary,
        vapidKey: change.vapidPublicKey)
    case (.keep, .set(let endpoint), _):
      guard let known = try knownKeys(of: row, isTemporary: isTemporary) else { throw .endpointWithoutKeys }
      try give(
        .init(endpoint: endpoint, keys: known), to: row, isTemporary: isTemporary,
        vapidKey: change.vapidPublicKey)
    case (.keep, .keep, .set(let keys)):
      guard let endpoint = try knownEndpoint(of: row, isTemporary: isTemporary) else {
        throw .keysWithoutSubscription
      }
      try give(
        .init(endpoint: endpoint, keys: keys), to: row, isTemporary: isTemporary,
        vapidKey: change.vapidPublicKey, keepsStandIn: true)
    case (.keep, .keep, .keep):
      try setVAPIDKey(change.vapidPublicKey, of: row, isTemporary: isTemporary)
    }
  }

  /// Names the phone.
  func setLabel(_ label: String?, of row: DeviceRow) throws(RegistryError) {
    try database.run(
      "UPDATE devices SET label = ? WHERE serial = ?", .optional(label), .integer(row.serial))
  }

  /// Replaces the kinds that wake nobody there.
  func setMuted(_ kinds: [Kind], of row: DeviceRow) throws(RegistryError) {
    try database.run("UPDATE devices SET muted = ? WHERE serial = ?", .kinds(kinds), .integer(row.serial))
  }

  /// Removes a row and revokes its tokens. The pairing codes that it came with end with it: they name a device that
  /// is not there.
  func removeDevice(_ row: DeviceRow, at: Int64) throws(RegistryError) {
    try database.run("DELETE FROM devices WHERE serial = ?", .integer(row.serial))
    try revokeTokens(of: row, at: at)
  }
}
