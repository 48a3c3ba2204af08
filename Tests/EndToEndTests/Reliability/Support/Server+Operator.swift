import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

/// What the operator does, by the admin socket and not by a command each: tests of reliability do it by the thousand.
extension Server {
  /// A request to the admin socket, which may lie in another mount namespace.
  func admin(_ method: String, _ path: String, json: JSONValue? = nil) async throws -> HTTPExchange {
    let socket = inside("state/admin.sock")
    return try await HTTPClient(unixSocket: socket).send(
      method, "http://localhost/v1/admin\(path)",
      headers: json == nil ? [] : [("Content-Type", "application/json")], body: json?.serialized())
  }

  /// A file of the state folder as the server sees it.
  func inside(_ name: String) -> String { "/proc/\(process.pid)/root\(state.path(name))" }

  /// A fresh pairing code of a stack.
  func code(_ stack: String) async throws -> String {
    let made = try await admin("POST", "/stacks/\(stack)/pairings", json: [:])
    #expect(made.status == 201 || made.status == 200, "\(made.json.text)")
    return try #require(made.json["code"]?.string)
  }

  /// A phone of a stack, which its endpoint alone tells from others.
  func register(
    _ stack: String, endpoint: String, client: Companion? = nil, code: String? = nil
  ) async throws -> Registered {
    let companion = try client ?? Companion()
    var token = code
    if token == nil { token = try await self.code(stack) }
    let reply = try await ask(
      "POST", "/v1/stacks/\(stack)/devices", token: try #require(token),
      json: [
        "client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys,
      ])
    #expect(reply.status == 201 || reply.status == 200, "\(reply.json.text)")
    return Registered(
      device: try #require(reply.json["device"]?.string), token: try #require(reply.json["token"]?.string),
      stack: stack, endpoint: endpoint, companion: companion)
  }

  /// Raises an alert; its id.
  func raise(_ stack: String, _ hook: String, _ body: JSONValue = ["kind": "problem"]) async throws -> String
  {
    let reply = try await ask("POST", "/v1/stacks/\(stack)/alerts", token: hook, json: body)
    #expect(reply.status == 202, "\(reply.json.text)")
    return try #require(reply.json["id"]?.string)
  }

  /// The alerts that are kept, by id, whoever's they are.
  func keptAlerts() throws -> Set<String> {
    Set(
      try StoreReading.texts("SELECT epoch || '-' || number FROM alerts", in: state.path("state/wake.sqlite"))
    )
  }
}

/// A phone that has been registered.
struct Registered: Sendable {
  let device: String
  let token: String
  let stack: String
  let endpoint: String
  let companion: Companion
}

/// Waits until `condition` holds; false where that does not come within `duration`.
func eventually(within duration: Duration = .seconds(30), _ condition: () async throws -> Bool) async throws
  -> Bool
{
  let end = ContinuousClock.now + duration
  while try await !condition() {
    guard ContinuousClock.now < end else { return false }
    try await Task.sleep(for: .milliseconds(20))
  }
  return true
}
