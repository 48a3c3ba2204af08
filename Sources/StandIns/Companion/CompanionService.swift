internal import CryptoPrimitives
package import HTTPClient
internal import StrictJSON
internal import WakeServer

/// One stack's routes for a companion, as the companion guide has them.
package struct CompanionService: Sendable {
  let baseURL: String
  let stack: String
  let http: HTTPClient

  /// Seconds without an octet after which a stream is given up: three of the service's heartbeats of 10 s.
  static let idleSeconds = 30

  private var path: String { "\(baseURL)/v1/stacks/\(stack)" }

  /// Registers a device with a pairing code.
  func register(code: String, _ body: JSONValue) async throws(CompanionError) -> JSONObject {
    try await ask("POST", "/devices", token: code, body: body)
  }

  /// The stack as the service presents it: label, kinds, version, VAPID key.
  func presentation(token: String) async throws(CompanionError) -> JSONObject {
    try await ask("GET", "", token: token)
  }

  /// How the service sees a device.
  func device(_ device: String, token: String) async throws(CompanionError) -> JSONObject {
    try await ask("GET", "/devices/\(device)", token: token)
  }

  /// Changes what the service keeps of a device (RFC 7396).
  func change(device: String, token: String, _ patch: JSONValue) async throws(CompanionError) -> JSONObject {
    try await ask("PATCH", "/devices/\(device)", token: token, body: patch)
  }

  /// A page of alerts after a cursor. A receipt travels with the read.
  func alerts(token: String, after cursor: String?, receipt: String?) async throws(CompanionError)
    -> JSONObject
  {
    try await ask(
      "GET", "/alerts" + (cursor.map { "?after=\($0)" } ?? ""), token: token,
      headers: receipt.map { [("Wake-Receipt", $0)] } ?? [])
  }

  /// Asks for a test wake.
  func test(device: String, token: String) async throws(CompanionError) {
    _ = try await send("POST", "/devices/\(device)/test", token: token, headers: [], body: nil)
  }

  /// Hands back a receipt on its own.
  func handBack(_ receipt: String, device: String, token: String) async throws(CompanionError) {
    _ = try await send(
      "POST", "/devices/\(device)/receipts", token: token, headers: [], body: ["w": .string(receipt)])
  }

  /// The stream of alerts after a cursor.
  func events(token: String, after cursor: String?) async throws(CompanionError) -> StreamedExchange {
    let headers = [("Authorization", "Bearer \(token)"), ("Accept", "text/event-stream")]
    let stream: StreamedExchange
    do throws(HTTPClientError) {
      stream = try await http.stream(
        "GET", path + "/events", headers: headers + (cursor.map { [("Last-Event-ID", $0)] } ?? []),
        idleSeconds: Self.idleSeconds)
    } catch { throw .unreachable("\(error)") }
    guard stream.status == 200 else {
      throw Self.failure(stream.status, retryAfter: stream.header("Retry-After"), body: nil)
    }
    guard stream.header("Content-Type")?.lowercased().hasPrefix("text/event-stream") == true else {
      throw .malformed("something that is no event stream")
    }
    return stream
  }

  /// Device and token of the answer to a registration.
  static func names(of answer: JSONObject) throws(CompanionError) -> (device: String, token: String) {
    guard let device = answer["device"]?.string, device.isOpaque, let token = answer["token"]?.string,
      token.isOpaque
    else {
      throw .malformed("the registration without a device and its token")
    }
    return (device, token)
  }

  private func ask(
    _ method: String, _ route: String, token: String, headers: [(String, String)] = [],
    body: JSONValue? = nil
  ) async throws(CompanionError) -> JSONObject {
    let exchange = try await send(method, route, token: token, headers: headers, body: body)
    guard case .object(let object)? = Self.json(exchange.body) else {
      throw .malformed("\(method) with something that is no JSON object")
    }
    return object
  }

  private func send(
    _ method: String, _ route: String, token: String, headers: [(String, String)], body: JSONValue?
  ) async throws(CompanionError) -> HTTPExchange {
    var headers = [("Authorization", "Bearer \(token)")] + headers
    if body != nil { headers.append(("Content-Type", "application/json")) }
    let exchange: HTTPExchange
    do throws(HTTPClientError) {
      exchange = try await http.send(method, path + route, headers: headers, body: body?.serialized())
    } catch { throw .unreachable("\(error)") }
    guard (200..<300).contains(exchange.status) else {
      throw Self.failure(exchange.status, retryAfter: exchange.header("Retry-After"), body: exchange.body)
    }
    return exchange
  }

  private static func failure(_ status: Int, retryAfter: String?, body: [UInt8]?) -> CompanionError {
    switch status {
    case 401, 410: .ended(status: status)
    case 429, 503: .busy(status: status, retryAfterSeconds: retryAfter.flatMap { Int($0) })
    default: .refused(status: status, code: body.flatMap { json($0)?["code"]?.string?.onOneLine })
    }
  }

  private static func json(_ octets: [UInt8]) -> JSONValue? {
    try? StrictJSON.parse(octets, limits: Presentation.answerLimits)
  }
}

/// Characters of the longest id, cursor, token or receipt that is taken: four times the longest of ours.
private let opaqueMaximum = 256

extension String {
  /// Whether it can stand in a path and in a field: ids, cursors, tokens and receipts are of these characters.
  var isOpaque: Bool {
    !isEmpty && utf8.count <= opaqueMaximum
      && utf8.allSatisfy { octet in
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}

extension HTTPClient {
  /// A client that takes the certificate of this fingerprint alone, or what the system trusts where there is none.
  package init(pinned fingerprint: String?) {
    // A fingerprint that cannot be read pins a certificate that does not exist: nothing is sent.
    self.init(pinnedCertificate: fingerprint.map { Hex.decode($0) ?? [] })
  }
}
