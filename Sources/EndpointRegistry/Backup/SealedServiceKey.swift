internal import CryptoPrimitives

/// The service key as a backup holds it: AES-256-GCM under a key that scrypt makes from a passphrase.
enum SealedServiceKey {
  /// What the passphrase is put through.
  struct Sealing: Equatable {
    let parameters: Scrypt.Parameters
    let salt: [UInt8]
  }

  /// What the manifest calls the cipher.
  static let cipher = "aes-256-gcm"
  /// Octets of a salt.
  static let saltLength = 16
  /// `nonce ‖ ciphertext ‖ tag`.
  static let length = AESGCM.nonceLength + StoreKeys.keyLength + AESGCM.tagLength

  private static let place = SealedPlace("wake-backup", "1", "service_key")

  /// The sealed key, and how it was sealed.
  static func seal(
    _ key: BackupKey, random: RandomOctets
  ) throws(RegistryError) -> (octets: [UInt8], sealing: Sealing) {
    let sealing = Sealing(parameters: .recommended, salt: random(saltLength))
    let wrapping = try wrappingKey(key.passphrase, sealing)
    return (try place.seal(key.serviceKey.octets, key: wrapping, random: random), sealing)
  }

  /// The key; `nil` where the passphrase is another one.
  static func open(
    _ octets: [UInt8], passphrase: SecretOctets, _ sealing: Sealing
  ) throws(RegistryError) -> SecretOctets? {
    let wrapping = try wrappingKey(passphrase, sealing)
    guard let key = try? place.open(octets, key: wrapping), key.count == StoreKeys.keyLength else {
      return nil
    }
    return SecretOctets(key)
  }

  private static func wrappingKey(
    _ passphrase: SecretOctets, _ sealing: Sealing
  ) throws(RegistryError) -> SecretOctets {
    do throws(CryptoError) {
      return try Scrypt.deriveKey(
        passphrase: passphrase, salt: sealing.salt, parameters: sealing.parameters,
        length: StoreKeys.keyLength)
    } catch {
      throw .cryptography(operation: "derive a key from the passphrase")
    }
  }
}
