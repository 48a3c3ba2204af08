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
    try await write { session throws(RegistryError) in try session.register(registration, at: at) }
  }
}

private struct PairingRow {
  let stack: Int64
  /// Where the stack's alerts stand.
  let newest: AlertID
  let expiresAt: Int64
  let client: [UInt8]?
  let device: DeviceID?
}

/// The device that a registration is for, and how it came to be that one.
private struct Registrant {
  enum Origin {
    /// The same code and client once more: an answer was lost.
    case lostAnswer
    /// The client or the endpoint is known.
    case takenOver
    case new
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
    _ registration: Registration, at: Int64
  ) throws(RegistryError) -> RegistrationResult {
    let client = keys.clientDigest(registration.client)
    let pairing = try pairing(registration.pairing, client: client, at: at)
    let registrant = try registrant(registration, client: client, pairing: pairing, at: at)
    let device = registrant.device

    if registrant.origin == .takenOver {
      try endTokens(of: device)
      try database.run(
        "UPDATE devices SET client = ? WHERE serial = ?", .octets(client), .integer(device.serial))
    }
    if registrant.origin != .new {
      if let label = registration.label { try setLabel(label, of: device) }
      if let muted = registration.muted { try setMuted(muted, of: device) }
    }
    let changed: Bool
    if registrant.origin == .new {
      // Nothing is known of it that a comparison could end.
      try give(registration, to: device, at: at)
      changed = registration.subscription != nil
    } else {
      changed = try watchingSubscription(of: device) { () throws(RegistryError) in
        try give(registration, to: device, at: at)
      }
    }
    try database.run(
      "UPDATE pairings SET client = ?, device = ? WHERE digest = ?",
      .octets(client), .text(device.id.text), .octets(registration.pairing.digest))

    guard let stored = try self.device(device.id) else { throw .damaged(database.path) }
    return RegistrationResult(
      device: stored, token: try issueToken(to: device), cursor: pairing.newest,
      vapidPublicKey: try currentVAPIDKey(of: device.stack),
      created: registrant.origin == .new, subscriptionChanged: changed)
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
    _ token: Token, client: [UInt8], at: Int64
  ) throws(RegistryError) -> PairingRow {
    let row = try database.first(
      """
      SELECT p.stack, s.epoch, s.newest, p.expires_at, p.client, p.device
      FROM pairings p JOIN stacks s ON s.serial = p.stack WHERE p.digest = ?
      """,
      .octets(token.digest)
    ) { row throws(RegistryError) in
      PairingRow(
        stack: row.integer(0), newest: AlertID(epoch: row.text(1), number: row.integer(2)),
        expiresAt: row.integer(3), client: row.optionalOctets(4),
        device: row.optionalText(5).flatMap { DeviceID($0) })
    }
    guard let row, at < row.expiresAt else { throw .pairingExpired }
    guard row.client == nil || row.client == client else { throw .pairingUsed }
    return row
  }

  private func registrant(
    _ registration: Registration, client: [UInt8], pairing: PairingRow, at: Int64
  ) throws(RegistryError) -> Registrant {
    if let id = pairing.device {
      // Revoking a device ends the code that it came with.
      guard let device = try deviceRow(id) else { throw .pairingUsed }
      let isStillItsOwn = try database.integer(
        "SELECT client = ? FROM devices WHERE serial = ?", .octets(client), .integer(device.serial))
      if isStillItsOwn == 1 { return Registrant(device: device, origin: .lostAnswer) }
    }
    if let device = try known(client: client, registration.subscription, stack: pairing.stack) {
      return Registrant(device: device, origin: .takenOver)
    }
    let id = DeviceID.minted(random)
    try database.run(
      "INSERT INTO devices (id, stack, client, label, muted, since) VALUES (?, ?, ?, ?, ?, ?)",
      .text(id.text), .integer(pairing.stack), .octets(client), .optional(registration.label),
      .kinds(registration.muted ?? []), .integer(at))
    let device = DeviceRow(serial: database.lastInsertedRow, id: id, stack: pairing.stack)
    return Registrant(device: device, origin: .new)
  }

  /// The device of the stack that this client is, or that holds this endpoint.
  private func known(
    client: [UInt8], _ subscription: PushSubscription?, stack: Int64
  ) throws(RegistryError) -> DeviceRow? {
    let device = try database.first(
      "SELECT serial, id, stack FROM devices WHERE stack = ? AND client = ?",
      .integer(stack), .octets(client), read: Self.deviceRow)
    guard device == nil, let subscription else { return device }
    return try database.first(
      """
      SELECT d.serial, d.id, d.stack FROM subscriptions u JOIN devices d ON d.serial = u.device
      WHERE u.endpoint_digest = ? AND u.stack = ?
      """,
      .octets(keys.endpointDigest(subscription.endpoint.url)), .integer(stack), read: Self.deviceRow)
  }
}
