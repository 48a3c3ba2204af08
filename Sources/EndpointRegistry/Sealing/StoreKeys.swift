internal import CryptoPrimitives

/// The keys of one store, all derived from its data key (HKDF-SHA-256, RFC 5869), and what is done with them.
struct StoreKeys: Sendable {
  /// Octets of the data key, and of the service key that wraps it: AES-256.
  static let keyLength = 32

  /// AES-256-GCM for sealed columns. Nonces are random: 2^32 columns may be sealed under one data key
  /// (NIST SP 800-38D §8.3), which is ten alerts a minute, with three sealed columns each, for 270 years.
  private let sealing: SecretOctets
  private let openers: SealOpeners
  private let lookup: SecretOctets
  private let topic: SecretOctets
  private let receipt: SecretOctets

  /// The keys below `dataKey`.
  init(dataKey: SecretOctets) throws(RegistryError) {
    let pseudorandomKey = SecretOctets(
      dataKey.withOctets {
        HKDFSHA256.extract(salt: Array("wake endpoint registry".utf8), inputKeyMaterial: $0)
      })
    sealing = try StoreKeys.derive(pseudorandomKey, "sealing")
    openers = SealOpeners(key: sealing)
    lookup = try StoreKeys.derive(pseudorandomKey, "lookup")
    topic = try StoreKeys.derive(pseudorandomKey, "topic")
    receipt = try StoreKeys.derive(pseudorandomKey, "receipt")
  }

  private static func derive(
    _ pseudorandomKey: SecretOctets, _ label: String
  ) throws(RegistryError) -> SecretOctets {
    do throws(CryptoError) {
      return SecretOctets(
        try pseudorandomKey.withOctets { (octets) throws(CryptoError) in
          try HKDFSHA256.expand(pseudorandomKey: octets, info: Array(label.utf8), length: keyLength)
        })
    } catch {
      throw .cryptography(operation: "derive \(label)")
    }
  }

  /// Seals one column of one row.
  func seal(
    _ plaintext: [UInt8], _ place: SealedPlace, random: RandomOctets
  ) throws(RegistryError) -> [UInt8] {
    try place.seal(plaintext, key: sealing, random: random)
  }

  /// Opens what `seal` made for the same place; `sealBroken` for anything else.
  func open(_ sealed: [UInt8], _ place: SealedPlace) throws(RegistryError) -> [UInt8] {
    try place.open(sealed, with: openers)
  }

  /// Opens text; `sealBroken` where it is not UTF-8 either.
  func openText(_ sealed: [UInt8], _ place: SealedPlace) throws(RegistryError) -> String {
    guard let text = String(validating: try open(sealed, place), as: UTF8.self) else {
      throw .sealBroken(place.column)
    }
    return text
  }

  /// What names an endpoint in an index: the same on every stack.
  func endpointDigest(_ url: String) -> [UInt8] { digest("endpoint", url) }
  /// What names a client in an index.
  func clientDigest(_ client: ClientID) -> [UInt8] { digest("client", client.text) }
  /// What names a `ref` in an index: another one on every stack.
  func refDigest(_ ref: String, of stack: StackID) -> [UInt8] { digest("ref", "\(stack.text)\n\(ref)") }

  /// 128 bits of HMAC-SHA-256: nobody without the key can aim at one of them, and indexes stay small.
  private func digest(_ subject: String, _ text: String) -> [UInt8] {
    let message = Array("\(subject)\n\(text)".utf8)
    let tag = lookup.withOctets { HMACWorkspaces.authenticate(message, key: $0) }
    return Array(tag.prefix(Self.digestLength))
  }

  private static let digestLength = 16

  /// What an endpoint's `Topic` is made from.
  func topicSecret(_ url: String) -> [UInt8] {
    topic.withOctets { HMACWorkspaces.authenticate(Array(url.utf8), key: $0) }
  }

  /// What is kept of a receipt.
  func receiptDigest(_ text: String) -> [UInt8] {
    receipt.withOctets { HMACWorkspaces.authenticate(Array(text.utf8), key: $0) }
  }
}
