internal import CryptoPrimitives

/// The data key as the store keeps it: sealed by the service key. Rotating the service key wraps it anew.
enum WrappedDataKey {
  private static let place = SealedPlace("store", "1", "data_key")

  /// A fresh data key under `serviceKey`.
  static func make(serviceKey: SecretOctets, random: RandomOctets) throws(RegistryError) -> [UInt8] {
    try place.seal(random(StoreKeys.keyLength), key: serviceKey, random: random)
  }

  /// `dataKey` under `serviceKey`.
  static func wrap(
    _ dataKey: SecretOctets, serviceKey: SecretOctets, random: RandomOctets
  ) throws(RegistryError) -> [UInt8] {
    try place.seal(dataKey.octets, key: serviceKey, random: random)
  }

  /// The data key; `serviceKeyUnusable` where `serviceKey` is not the one that wrapped it.
  static func open(
    _ wrapped: [UInt8], serviceKey: SecretOctets, path: String
  ) throws(RegistryError) -> SecretOctets {
    do throws(RegistryError) {
      let dataKey = SecretOctets(try place.open(wrapped, key: serviceKey))
      guard dataKey.count == StoreKeys.keyLength else { throw .sealBroken(place.column) }
      return dataKey
    } catch {
      throw .serviceKeyUnusable(
        "the service key does not open the store \(path): use the key that the store was made with")
    }
  }
}
