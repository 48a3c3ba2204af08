import EndpointRegistry
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer
import WebPushCrypto

/// What happens in the demo, each act checked against what it has to show.
struct DemoActs: Sendable {
  /// One alert from the hook to the attempt row.
  struct Act: Sendable {
    let kind: Kind
    let hookStatus: Int
    let id: String
    let message: StandInPushServer.Message
    let plaintext: String
    let read: JSONValue
    let attempt: JSONObject

    var document: JSONValue {
      [
        "kind": .string(kind.name), "hookStatus": .integer(Int64(hookStatus)), "id": .string(id),
        "headers": .array(message.headers.map { .string("\($0.name): \(DemoScript.shown($0))") }),
        "octets": .integer(Int64(message.body.count)), "plaintext": .string(plaintext), "read": read,
        "attempt": .object(attempt),
      ]
    }
  }

  /// What the hook says to a kind that is none.
  struct Refusal: Sendable {
    let status: Int
    let body: JSONObject
    /// Messages that reached the push server because of it.
    let messages: Int

    var document: JSONValue {
      ["status": .integer(Int64(status)), "answer": .object(body), "messages": .integer(Int64(messages))]
    }
  }

  let parties: DemoParties
  let link: PairingLink
  let hookToken: String

  /// A word that is none of the closed list.
  static let unknownKind = "weather"

  private static let target = "/up-demo?up=1"
  private static let label = "demo phone"
  /// How long the push server's stand-in and the attempt row are waited for.
  private static let patience = Duration.seconds(10)

  func register() async throws(CommandError) -> Companion.Registration {
    let registration: Companion.Registration
    do {
      registration = try await parties.companion.register(
        link, endpoint: parties.pushServer.origin + Self.target, label: Self.label)
    } catch { throw .failed(error.description) }
    _ = try await messages(1)  // the activation wake
    return registration
  }

  func raise(_ kind: Kind, for registration: Companion.Registration) async throws(CommandError) -> Act {
    let before = parties.pushServer.messages.count
    let (status, answer) = try await hook(kind.name)
    guard status == 202, let id = answer["id"]?.word else {
      throw .failed("the hook answered \(status) to the kind \(kind.name)")
    }
    let received = try await messages(before + 1)
    guard received.count == before + 1, let message = received.last else {
      throw .failed("the push server saw \(received.count - before) messages for one alert")
    }
    let plaintext: String
    do {
      plaintext = String(decoding: try parties.companion.decrypt(message.body), as: UTF8.self)
    } catch { throw .failed("the companion cannot decrypt the wake: \(error)") }
    return Act(
      kind: kind, hookStatus: status, id: id, message: message, plaintext: plaintext,
      read: try await read(id, registration), attempt: try await attempt(for: id))
  }

  func raiseAnUnknownKind() async throws(CommandError) -> Refusal {
    let before = parties.pushServer.messages.count
    let (status, body) = try await hook(Self.unknownKind)
    guard status == 422 else { throw .failed("the hook answered \(status) to a kind that does not exist") }
    // Long enough for a wake that must not come.
    let after = await parties.pushServer.wait(for: before + 1, patience: .milliseconds(300))
    return Refusal(status: status, body: body, messages: after.count - before)
  }

  private func hook(_ kind: String) async throws(CommandError) -> (Int, JSONObject) {
    let body: JSONValue = ["kind": .string(kind), "alert": ["said": .string("a \(kind) of the demo")]]
    let exchange: HTTPExchange
    do {
      exchange = try await parties.http.send(
        "POST", "\(link.baseURL)/v1/stacks/\(link.stack)/alerts",
        headers: [("Authorization", "Bearer \(hookToken)"), ("Content-Type", MediaType.json)],
        body: body.serialized())
    } catch { throw .failed("the hook could not be called: \(error)") }
    guard case .object(let answer)? = try? StrictJSON.parse(exchange.body) else {
      throw .failed("the hook answered something that is no object")
    }
    return (exchange.status, answer)
  }

  private func messages(_ count: Int) async throws(CommandError) -> [StandInPushServer.Message] {
    let messages = await parties.pushServer.wait(for: count, patience: Self.patience)
    guard messages.count >= count else { throw .failed("the push server saw no wake in \(Self.patience)") }
    return messages
  }

  /// The companion reads what it was woken for.
  private func read(_ id: String, _ registration: Companion.Registration) async throws(CommandError)
    -> JSONValue
  {
    let page: JSONObject
    do {
      page = try await parties.companion.alerts(link, token: registration.token, after: nil)
    } catch { throw .failed(error.description) }
    guard case .array(let alerts)? = page["alerts"], let alert = alerts.first(where: { $0["id"]?.word == id })
    else { throw .failed("the companion does not find alert \(id)") }
    return alert
  }

  /// The row of the wake for an alert, once the push server's answer is in it.
  private func attempt(for id: String) async throws(CommandError) -> JSONObject {
    let admin = AdminClient(parties.configuration)
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      if case .array(let rows)? = try await admin.get("/v1/admin/attempts")["attempts"],
        case .object(let row)? = rows.first(where: { $0["alerts"]?["last"]?.word == id }),
        row["outcome"]?.word != AttemptOutcome.unknown.rawValue
      {
        return row
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
    throw .failed("the attempt for alert \(id) has no outcome after \(Self.patience)")
  }
}
