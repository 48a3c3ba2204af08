internal import CryptoPrimitives
internal import WebPushCrypto

/// What of a registration does not need the store: made on the caller's thread, so that the one that writes has but to
/// write.
struct PreparedRegistration: Sendable {
  let registration: Registration
  let pairingDigest: [UInt8]
  let clientDigest: [UInt8]
  /// The id and the token of the device if it is a new one.
  let device: DeviceID
  let token: Token
  /// The columns of its subscription if it is a new one.
  let subscription: PreparedSubscription?

  init(
    _ registration: Registration, at: Int64, keys: StoreKeys, random: RandomOctets
  ) throws(RegistryError) {
    self.registration = registration
    pairingDigest = registration.pairing.digest
    clientDigest = keys.clientDigest(registration.client)
    device = .minted(random, at: at)
    token = .minted(.device, random: random)
    subscription =
      if let given = registration.subscription {
        try PreparedSubscription(
          given, of: device, isTemporary: registration.temporary, keys: keys, random: random)
      } else {
        nil
      }
  }
}

/// The columns of a subscription, for one device and place.
struct PreparedSubscription: Sendable {
  let endpointDigest: [UInt8]
  let endpoint: [UInt8]
  let p256dh: [UInt8]
  let auth: [UInt8]
  let pushServer: String

  init(
    _ subscription: PushSubscription, of device: DeviceID, isTemporary: Bool, keys: StoreKeys,
    random: RandomOctets
  ) throws(RegistryError) {
    func seal(_ text: String, _ column: String) throws(RegistryError) -> [UInt8] {
      try keys.seal(
        Array(text.utf8), SealedSubscription.place(device, isTemporary: isTemporary, column), random: random)
    }
    endpointDigest = keys.endpointDigest(subscription.endpoint.url)
    endpoint = try seal(subscription.endpoint.url, "endpoint")
    p256dh = try seal(subscription.keys.p256dh, "p256dh")
    auth = try seal(subscription.keys.auth, "auth")
    pushServer = subscription.endpoint.origin
  }
}
