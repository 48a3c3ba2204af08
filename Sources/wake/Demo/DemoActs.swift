import EndpointRegistry
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// What happens in the demo, each act checked against what it has to show.
struct DemoActs: Sendable {
  let parties: DemoParties
  let link: PairingLink
  let hookToken: String

  /// How long anything is waited for.
  private static let patience = Duration.seconds(10)
  private static let pause = Duration.milliseconds(5)

  /// The core calls the hook.
  func hook(_ kind: String, _ said: String, wake: Bool = true) async throws(CommandError) -> (Int, JSONObject)
  {
    try await ask(
      "POST", "alerts", ["kind": .string(kind), "wake": .bool(wake), "alert": ["said": .string(said)]])
  }

  /// The same, for an alert that must be taken: its id.
  func raise(_ kind: Kind, _ said: String, wake: Bool = true) async throws(CommandError) -> String {
    let (status, answer) = try await hook(kind.name, said, wake: wake)
    guard status == 202, let id = answer["id"]?.word else {
      throw .failed("the hook answered \(status) to the kind \(kind.name)")
    }
    return id
  }

  /// What the core is told of its wakes.
  func delivery() async throws(CommandError) -> JSONObject { try await ask("GET", "delivery").1 }

  /// The rows of wakes that were accepted and confirmed, newest first. A receipt may be there before the answer is.
  func delivered() async throws(CommandError) -> [JSONObject] {
    let page = try await AdminClient(parties.configuration).get("/v1/admin/attempts")
    return (page["attempts"]?.array?.compactMap(\.object) ?? []).filter { row in
      row["receiptAt"]?.word != nil && row["outcome"]?.word == AttemptOutcome.accepted.rawValue
    }
  }

  /// Looks again and again until there is something; `what` is for the error where there never is.
  func waiting<Value>(
    for what: String, _ look: () async throws(CommandError) -> Value?
  ) async throws(CommandError) -> Value {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      if let fault = parties.phone.fault { throw CommandError(fault) }
      if let value = try await look() { return value }
      try? await Task.sleep(for: Self.pause)
    }
    throw .failed("\(what) did not come within \(Self.patience)")
  }

  private func ask(_ method: String, _ route: String, _ body: JSONValue? = nil) async throws(CommandError)
    -> (Int, JSONObject)
  {
    let exchange: HTTPExchange
    do {
      exchange = try await parties.http.send(
        method, "\(link.baseURL)/v1/stacks/\(link.stack)/\(route)",
        headers: [("Authorization", "Bearer \(hookToken)")]
          + (body == nil ? [] : [("Content-Type", MediaType.json)]), body: body?.serialized())
    } catch { throw .failed("the core cannot ask the service: \(error)") }
    guard case .object(let answer)? = try? StrictJSON.parse(exchange.body) else {
      throw .failed("the service answered the core with something that is no object")
    }
    return (exchange.status, answer)
  }
}
