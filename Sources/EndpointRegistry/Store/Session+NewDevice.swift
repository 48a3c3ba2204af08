internal import CryptoPrimitives
internal import KindCatalogue

extension Session {
  /// Adds a device that nothing is known of: neither its client nor its endpoint is there on its stack.
  func addDevice(
    _ prepared: PreparedRegistration, to stack: PairedStack, at: Int64
  ) throws(RegistryError) -> Device {
    let registration = prepared.registration
    let muted = Kind.inListOrder(registration.muted ?? [])
    // Checked without a subscription too.
    let vapidKey =
      if let named = registration.vapidPublicKey {
        try vapidKeySerial(.set(named), known: nil, stack: stack.serial)
      } else {
        stack.vapidKey
      }
    try database.run(
      """
      INSERT INTO devices (id, stack, client, label, muted, since, seen, activation_owed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(prepared.device.text), .integer(stack.serial), .octets(prepared.clientDigest),
      .optional(registration.label), .kinds(muted), .integer(at),
      .integer(stack.newest.number), .integer(prepared.subscription == nil ? 0 : 1))
    let row = DeviceRow(serial: database.lastInsertedRow, id: prepared.device, stack: stack.serial)
    try addToken(prepared.token, to: row, issue: 1)
    if let subscription = prepared.subscription {
      try put(subscription, to: row, isTemporary: registration.temporary, vapidKey: vapidKey)
    }
    return Device(
      id: row.id, stack: stack.id, stackLabel: stack.label, label: registration.label,
      delivery: DeliveryFacts(hasSubscription: prepared.subscription != nil),
      pushServer: prepared.subscription?.pushServer,
      temporary: prepared.subscription != nil && registration.temporary, muted: muted, since: at,
      lastWakeAt: nil, lastReceiptAt: nil, gone: nil,
      endpointDigest: prepared.subscription.map { Self.shown($0.endpointDigest) })
  }
}
