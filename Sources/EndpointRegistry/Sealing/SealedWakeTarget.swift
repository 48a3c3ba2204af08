internal import WebPushCrypto

/// What a wake to one device needs, with its columns still closed.
struct SealedWakeTarget: Sendable {
  let subscription: SealedSubscription
  /// The pauses that concern it.
  let hold: WakeHold
  private let endpointDigest: [UInt8]
  private let changed: Int64
  private let vapidPublicKey: String
  private let vapidPrivateKey: [UInt8]

  /// The device.
  var device: DeviceID { subscription.device }

  /// The subscription in use, its key and its pauses, of the devices `d`.
  static let joins = """
    JOIN subscriptions u ON u.device = d.serial
      AND u.is_temporary = (SELECT max(x.is_temporary) FROM subscriptions x WHERE x.device = d.serial)
    JOIN vapid_keys v ON v.serial = u.vapid_key
    \(Session.holdJoins)
    """
  /// What `init` reads.
  static let columns = """
    u.is_temporary, u.endpoint, u.p256dh, u.auth, u.push_server, u.endpoint_digest, u.generation, v.public_key,
    v.private_key, \(Session.holdColumns)
    """

  /// The target whose columns begin with `first` in this row.
  init(_ row: Statement, from first: Int32, device: DeviceID) {
    subscription = SealedSubscription(
      device: device, isTemporary: row.truth(first), endpoint: row.octets(first + 1),
      p256dh: row.octets(first + 2), auth: row.octets(first + 3), pushServer: row.text(first + 4))
    endpointDigest = row.octets(first + 5)
    changed = row.integer(first + 6)
    vapidPublicKey = row.text(first + 7)
    vapidPrivateKey = row.octets(first + 8)
    hold = Session.hold(row, from: first + 9)
  }

  /// The target; `sealBroken` where a column cannot be opened or holds no key.
  func open(
    stack: StackID, generation: Int64, catalogueVersion: String, keys: StoreKeys, vapidKeys: VAPIDKeyCache
  ) throws(RegistryError) -> WakeTarget {
    let opened = try subscription.open(keys)
    return WakeTarget(
      device: device, stack: stack, subscription: opened,
      vapidKey: try vapidKeys.pair(vapidPublicKey, sealed: vapidPrivateKey, keys: keys),
      topicSecret: keys.topicSecret(opened.endpoint.url), endpointDigest: endpointDigest,
      hold: hold, changed: changed, generation: generation, catalogueVersion: catalogueVersion)
  }
}
