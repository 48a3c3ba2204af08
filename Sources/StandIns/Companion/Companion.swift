package import CryptoPrimitives
package import HTTPClient
package import StrictJSON
package import WakeServer
package import WebPushCrypto

/// One registration's worth of a companion, kept by whoever asks for it: registers, decrypts wakes, reads alerts.
///
/// For tests and benchmarks that look at each step; ``CompanionRun`` does the whole.
package struct Companion: Sendable {
  /// A registration with one stack.
  package struct Registration: Sendable {
    package let device: String
    package let token: String
    /// The whole answer.
    package let answer: JSONObject
  }

  /// What went wrong, in words without a secret.
  package typealias Failure = CompanionError

  /// 22 base64url characters, chosen once.
  package let client: String
  private let uaPrivate: P256PrivateKey
  private let authSecret: [UInt8]
  private let http: HTTPClient

  /// - Parameter http: what asks a service whose link pins no certificate.
  package init(random: RandomOctets = .system, http: HTTPClient = HTTPClient()) throws(CryptoError) {
    client = Base64URL.encode(random(16))
    authSecret = random(16)
    uaPrivate = try P256PrivateKey.generate()
    self.http = http
  }

  /// `{"p256dh":…,"auth":…}` as a W3C PushSubscription has it.
  package var keys: JSONValue {
    [
      "p256dh": .string(Base64URL.encode(uaPrivate.publicKey.uncompressed)),
      "auth": .string(Base64URL.encode(authSecret)),
    ]
  }

  /// Registers an endpoint with the stack that a pairing link names.
  package func register(_ link: PairingLink, endpoint: String, label: String) async throws(Failure)
    -> Registration
  {
    let answer = try await service(link).register(
      code: link.code,
      [
        "client": .string(client), "endpoint": .string(endpoint), "keys": keys,
        "vapidPublicKey": .string(link.vapidPublicKey), "label": .string(label),
      ])
    let names = try CompanionService.names(of: answer)
    return Registration(device: names.device, token: names.token, answer: answer)
  }

  /// The plaintext of a wake.
  package func decrypt(_ body: [UInt8]) throws(WebPushCryptoError) -> [UInt8] {
    try WebPushMessage.decrypt(body, uaPrivate: uaPrivate, authSecret: authSecret)
  }

  /// The alerts after `cursor`.
  package func alerts(_ link: PairingLink, token: String, after cursor: String?) async throws(Failure)
    -> JSONObject
  {
    try await service(link).alerts(token: token, after: cursor, receipt: nil)
  }

  private func service(_ link: PairingLink) -> CompanionService {
    CompanionService(
      baseURL: link.baseURL, stack: link.stack,
      http: link.fingerprint == nil ? http : HTTPClient(pinned: link.fingerprint))
  }
}
