internal import WebPushCrypto

/// The sealed columns of a subscription, to be opened away from the threads of the store.
struct SealedSubscription: Sendable {
  let device: DeviceID
  let isTemporary: Bool
  let endpoint: [UInt8]
  let p256dh: [UInt8]
  let auth: [UInt8]
  let pushServer: String

  /// The subscription; `sealBroken` where a column cannot be opened or holds no key.
  func open(_ keys: StoreKeys) throws(RegistryError) -> PushSubscription {
    let row = Self.row(device, isTemporary: isTemporary)
    func place(_ column: String) -> SealedPlace { SealedPlace("subscriptions", row, column) }
    let url = try keys.openText(endpoint, place("endpoint"))
    let p256dh = try keys.openText(p256dh, place("p256dh"))
    let auth = try keys.openText(auth, place("auth"))
    do throws(SubscriptionKeyError) {
      return PushSubscription(
        endpoint: Endpoint(validatedURL: url, origin: pushServer),
        keys: try UserAgentKeys(p256dh: p256dh, auth: auth))
    } catch {
      switch error {
      case .p256dh: throw .sealBroken(place("p256dh").column)
      case .auth: throw .sealBroken(place("auth").column)
      }
    }
  }

  /// Where a column of a device's primary or stand-in stands.
  static func place(_ device: DeviceID, isTemporary: Bool, _ column: String) -> SealedPlace {
    SealedPlace("subscriptions", row(device, isTemporary: isTemporary), column)
  }

  private static func row(_ device: DeviceID, isTemporary: Bool) -> String {
    device.text + (isTemporary ? "/stand-in" : "/primary")
  }
}
