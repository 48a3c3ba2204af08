internal import WebPushCrypto

extension SQLiteStore {
  package func addPairing(
    stack: StackID, at: Int64, expiresAt: Int64
  ) async throws(RegistryError) -> Token {
    try await write { session throws(RegistryError) in
      try session.addPairing(stack: stack, at: at, expiresAt: expiresAt)
    }
  }

  package func register(
    _ registration: Registration, at: Int64
  ) async throws(RegistryError) -> RegistrationResult {
    let prepared = try PreparedRegistration(registration, at: at, keys: keys, random: random)
    return try await write { session throws(RegistryError) in try session.register(prepared, at: at) }
  }
}

private struct PairingRow {
  let stack: PairedStack
  let expiresAt: Int64
  let client: [UInt8]?
  let device: DeviceID?
}

/// What a registration has to know of its stack.
struct PairedStack {
  let serial: Int64
  let id: StackID
  let label: String
  /// Where its alerts stand.
  let newest: AlertID
  /// Its current VAPID key.
  let vapidKey: Int64
  let vapidPublicKey: String
}

/// The device that is known already and that a registration is for, and how it came to be that one.
private struct Registrant {
  enum Origin {
    /// The same code and client once more: an answer was lost.
    case lostAnswer
    /// The client or the endpoint is known.
    case takenOver
  }

  let device: DeviceRow
  let origin: Origin
}

extension Session {
  fileprivate func addPairing(
    stack: StackID, at: Int64, expiresAt: Int64
  ) throws(RegistryError) -> Token {
    let token = Token.minted(.pairing, random: random)
    try database.run(
      "INSERT INTO pairings (digest, stack, created_at, expires_at) VALUES (?, ?, ?, ?)",
      .octets(token.digest), .integer(try requireStack(stack).serial), .integer(at), .integer(expiresAt))
    return token
  }

  fileprivate func register(
    _ prepared: PreparedRegistration, at: Int64
  ) throws(RegistryError) -> RegistrationResult {
    let pairing = try pairing(prepared, at: at)
    guard let registrant = try registrant(prepared, pairing: pairing) else {
      let device = try addDevice(prepared, to: pairing.stack, at: at)
      try use(prepared, device.id)
      return result(
        device, token: prepared.token, pairing, created: true,
        subscriptionChanged: prepared.subscription != nil)
    }
    return try merge(prepared, into: registrant, pairing, at: at)
  }

  private func merge(
    _ prepared: PreparedRegistration, into registrant: Registrant, _ pairing: PairingRow, at: Int64
  ) throws(RegistryError) -> RegistrationResult {
    let (device, registration) = (registrant.device, prepared.registration)
    if registrant.origin == .takenOver {
      try endTokens(of: device)
      try database.run(
        "UPDATE devices SET client = ? WHERE serial = ?",
        .octets(prepared.clientDigest), .integer(device.serial))
    }
    if let label = registration.label { try setLabel(label, of: device) }
    if let muted = registration.muted { try setMuted(muted, of: device) }
    let changed = try watchingSubscription(of: device) { () throws(RegistryError) in
      try give(registration, to: device, at: at)
    }
    if changed { try passOverAlerts(of: device) }
    try use(prepared, device.id)
    guard let stored = try self.device(device.id) else { throw .damaged(database.path) }
    return result(
      stored, token: try issueToken(to: device), pairing, created: false, subscriptionChanged: changed)
  }

  private func result(
    _ device: Device, token: Token, _ pairing: PairingRow, created: Bool, subscriptionChanged: Bool
  ) -> RegistrationResult {
    RegistrationResult(
      device: device, token: token, cursor: pairing.stack.newest,
      vapidPublicKey: pairing.stack.vapidPublicKey, created: created,
      subscriptionChanged: subscriptionChanged)
  }

  /// The code has registered this device for this client.
  private func use(_ prepared: PreparedRegistration, _ device: DeviceID) throws(RegistryError) {
    try database.run(
      "UPDATE pairings SET client = ?, device = ? WHERE digest = ?",
      .octets(prepared.clientDigest), .text(device.text), .octets(prepared.pairingDigest))
  }

  private func give(_ registration: Registration, to device: DeviceRow, at: Int64) throws(RegistryError) {
    let vapidKey = registration.vapidPublicKey.map { Change.set($0) } ?? .keep
    guard let subscription = registration.subscription else {
      return try setVAPIDKey(vapidKey, of: device, isTemporary: registration.temporary)
    }
    try give(subscription, to: device, isTemporary: registration.temporary, vapidKey: vapidKey, mergingAt: at)
  }

  /// The code, if it still lets this client in.
  private func pairing(
    _ prepared: PreparedRegistration, at: Int64
  ) throws(RegistryError) -> PairingRow {
    let row = try database.first(
      """
      SELECT s.serial, s.id, s.label, s.epoch, s.newest, v.serial, v.public_key, p.expires_at, p.client, p.device
      FROM pairings p JOIN stacks s ON s.serial = p.stack
      JOIN vapid_keys v ON v.stack = s.serial AND v.is_current = 1 WHERE p.digest = ?
      """,
      .octets(prepared.pairingDigest)
    ) { row throws(RegistryError) in
      PairingRow(
        stack: PairedStack(
          serial: row.integer(0), id: try row.stackID(1), label: row.text(2),
          newest: AlertID(epoch: row.text(3), number: row.integer(4)), vapidKey: row.integer(5),
          vapidPublicKey: try row.vapidPublicKey(6)),
        expiresAt: row.integer(7), client: row.optionalOctets(8),
        device: row.optionalText(9).flatMap { DeviceID($0) })
    }
    guard let row, at < row.expiresAt else { throw .pairingExpired }
    guard row.client == nil || row.client == prepared.clientDigest else { throw .pairingUsed }
    return row
  }

  /// The device that is known by the code, the client or the endpoint; nil for a new one.
  private func registrant(
    _ prepared: PreparedRegistration, pairing: PairingRow
  ) throws(RegistryError) -> Registrant? {
    if let id = pairing.device {
      // Revoking a device ends the code that it came with.
      guard let device = try deviceRow(id) else { throw .pairingUsed }
      let isStillItsOwn = try database.integer(
        "SELECT client = ? FROM devices WHERE serial = ?",
        .octets(prepared.clientDigest), .integer(device.serial))
      if isStillItsOwn == 1 { return Registrant(device: device, origin: .lostAnswer) }
    }
    return try known(prepared, stack: pairing.stack.serial).map { Registrant(device: $0, origin: .takenOver) }
  }

  /// The device of the stack that this client is, or that holds this endpoint.
  private func known(
    _ prepared: PreparedRegistration, stack: Int64
  ) throws(RegistryError) -> DeviceRow? {
    let device = try database.first(
      "SELECT serial, id, stack FROM devices WHERE stack = ? AND client = ?",
      .integer(stack), .octets(prepared.clientDigest), read: Self.deviceRow)
    guard device == nil, let subscription = prepared.subscription else { return device }
    return try database.first(
      """
      SELECT d.serial, d.id, d.stack FROM subscriptions u JOIN devices d ON d.serial = u.device
      WHERE u.endpoint_digest = ? AND u.stack = ?
      """,
      .octets(subscription.endpointDigest), .integer(stack), read: Self.deviceRow)
  }
}
