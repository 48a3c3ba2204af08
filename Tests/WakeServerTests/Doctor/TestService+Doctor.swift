import EndpointRegistry
import StandIns
import StrictJSON
import Testing
import WakeServer

/// What the doctor said, as it is read.
struct Diagnosis: Sendable {
  let document: JSONObject
  let text: String

  init(_ reply: Reply) throws {
    document = reply.json
    text = String(decoding: reply.body, as: UTF8.self)
    #expect(reply.status == 200, "\(text)")
  }

  var findings: [JSONValue] {
    guard case .array(let findings)? = document["findings"] else { return [] }
    return findings
  }

  func of(_ verdict: String) -> [JSONValue] { findings.filter { $0["verdict"]?.string == verdict } }

  /// The links with a verdict, in their order.
  func links(_ verdict: String) -> [String] { of(verdict).compactMap { $0["link"]?.string } }

  func finding(_ link: String) -> JSONValue? { findings.first { $0["link"]?.string == link } }

  var verdict: String? { document["verdict"]?.string }
  var fix: String? { document["fix"]?.string }
}

extension TestService {
  /// The operator's examination of a device.
  func examine(_ device: String, wait: Int = 0) async throws -> Diagnosis {
    try Diagnosis(try await send("POST", "/v1/admin/devices/\(device)/doctor?wait=\(wait)", door: .admin))
  }

  /// The operator's examination of all.
  func examineAll() async throws -> Diagnosis {
    try Diagnosis(try await send("POST", "/v1/admin/doctor", door: .admin))
  }

  /// The companion's own.
  func examineAsCompanion(_ phone: Phone, wait: Int = 0) async throws -> Diagnosis {
    try Diagnosis(try await send("POST", "\(path(of: phone))/doctor?wait=\(wait)", token: phone.token))
  }

  /// A phone whose endpoint is anywhere.
  func phone(at endpoint: String, clockAhead: Int64 = 0) async throws -> Phone {
    let companion = try Companion()
    let code = try await pairingCode(expiresIn: 900_000 + max(0, clockAhead))
    let reply = try await send(
      "POST", "\(path)/devices", token: code, json: companion.registration(endpoint: endpoint))
    return try phone(companion, reply, target: String(endpoint.dropFirst(pushServer.origin.count)))
  }

  /// The operator's examination, while the phone hands the receipt of the wake that comes back.
  func examineAnswering(_ phone: Phone, wait: Int = 20) async throws -> Diagnosis {
    let before = pushServer.messages.count
    async let diagnosis = examine(phone.device, wait: wait)
    _ = await pushServer.wait(for: before + 1)
    let receipt = try #require(try receipts(at: phone).last)
    #expect(try await handBack(.string(receipt), from: phone).status == 204)
    return try await diagnosis
  }
}
