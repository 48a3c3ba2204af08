internal import CryptoPrimitives
internal import WebPushCrypto

/// The private half of a VAPID key pair as the store keeps it; its public half names the row.
enum SealedVAPIDKey {
  private static func place(_ publicKey: String) -> SealedPlace {
    SealedPlace("vapid_keys", publicKey, "private_key")
  }

  /// A fresh pair: the public key as text, and the private one sealed.
  static func make(
    _ keys: StoreKeys, random: RandomOctets
  ) throws(RegistryError) -> (publicKey: String, sealed: [UInt8]) {
    let pair: VAPIDKeyPair
    do throws(WebPushCryptoError) {
      pair = try VAPIDKeyPair.generate()
    } catch {
      throw .cryptography(operation: "generate a VAPID key")
    }
    let sealed = try pair.privateScalar.withOctets { (octets) throws(RegistryError) in
      try keys.seal(octets, place(pair.publicKey), random: random)
    }
    return (pair.publicKey, sealed)
  }

  /// The pair; `sealBroken` where the seal is, or where the halves do not belong together.
  static func open(
    _ sealed: [UInt8], publicKey: String, keys: StoreKeys
  ) throws(RegistryError) -> VAPIDKeyPair {
    let place = place(publicKey)
    let scalar = SecretOctets(try keys.open(sealed, place))
    guard let pair = try? scalar.withOctets({ try VAPIDKeyPair(privateScalar: $0) }),
      pair.publicKey == publicKey
    else {
      throw .sealBroken(place.column)
    }
    return pair
  }
}
