package import CryptoPrimitives
package import HTTPClient
package import StrictJSON
package import WakeServer
package import WebPushCrypto

/// The app on a phone, as far as the service can see it: pairs, registers, decrypts wakes, reads alerts.
package struct Companion: Sendable {
  /// A registration with one stack.
  package struct Registration: Sendable {
    package let device: String
    package let token: String
    /// The whole answer.
    package let answer: JSONObject
  }

  /// What went wrong, in words without a secret.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// 22 base64url characters, chosen once.
  package let client: String
  private let uaPrivate: P256PrivateKey
  private let authSecret: [UInt8]
  private let http: HTTPClient

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
    let body: JSONValue = [
      "client": .string(client), "endpoint": .string(endpoint), "keys": keys,
      "vapidPublicKey": .string(link.vapidPublicKey), "label": .string(label),
    ]
    let answer = try await ask(
      "POST", "\(link.baseURL)/v1/stacks/\(link.stack)/devices", token: link.code, body: body)
    guard case .string(let device)? = answer["device"], case .string(let token)? = answer["token"] else {
      throw Failure(description: "the answer to the registration names no device")
    }
    return Registration(device: device, token: token, answer: answer)
  }

  /// The plaintext of a wake.
  package func decrypt(_ body: [UInt8]) throws(WebPushCryptoError) -> [UInt8] {
    try WebPushMessage.decrypt(body, uaPrivate: uaPrivate, authSecret: authSecret)
  }

  /// The alerts after `cursor`.
  package func alerts(_ link: PairingLink, token: String, after cursor: String?) async throws(Failure)
    -> JSONObject
  {
    let query = cursor.map { "?after=\($0)" } ?? ""
    return try await ask("GET", "\(link.baseURL)/v1/stacks/\(link.stack)/alerts\(query)", token: token)
  }

  private func ask(_ method: String, _ url: String, token: String, body: JSONValue? = nil)
    async throws(Failure) -> JSONObject
  {
    var headers = [("Authorization", "Bearer \(token)")]
    if body != nil { headers.append(("Content-Type", "application/json")) }
    let exchange: HTTPExchange
    do {
      exchange = try await http.send(method, url, headers: headers, body: body?.serialized())
    } catch {
      throw Failure(description: "the service could not be asked: \(error)")
    }
    guard (200..<300).contains(exchange.status) else {
      throw Failure(description: "\(method) was answered \(exchange.status)")
    }
    guard
      case .object(let object)? = try? StrictJSON.parse(
        exchange.body, limits: Presentation.answerLimits)
    else {
      throw Failure(description: "\(method) was answered with something that is no JSON object")
    }
    return object
  }
}
