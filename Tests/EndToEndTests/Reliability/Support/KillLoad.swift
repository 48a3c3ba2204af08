import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Synchronization

/// What cores, phones and an operator do at once with a server until it is gone, and what of that was acknowledged.
final class KillLoad: Sendable {
  /// What was answered with success.
  struct Acknowledged: Sendable {
    var alerts: Set<String> = []
    var registered: [Registered] = []
    /// Devices that the operator revoked, or that removed themselves.
    var ended: Set<String> = []
  }

  private static let kinds = ["problem", "backup", "update"]
  /// Every third phone's endpoint is one that its push server knows nothing of.
  private static let goneEvery = 3

  private let server: Server
  private let pushServer: String
  private let acknowledged = Mutex(Acknowledged())
  private let count = Atomic(0)

  init(on server: Server, pushServer: String) {
    self.server = server
    self.pushServer = pushServer
  }

  /// Requests that were answered with success so far.
  var answered: Int { count.load(ordering: .relaxed) }

  /// Works until the server does not answer any more.
  ///
  /// - Parameter doomed: devices that are to be revoked, and such that remove themselves.
  func run(
    alertsOf cores: [(id: String, hook: String)], registeringWith home: String, round: Int,
    revoking: [Registered], removing: [Registered]
  ) async -> Acknowledged {
    await withTaskGroup(of: Void.self) { group in
      for core in cores { group.addTask { await self.raise(core.id, core.hook, round) } }
      for number in 0..<2 { group.addTask { await self.register(home, round, number) } }
      group.addTask { await self.revoke(revoking) }
      group.addTask { await self.remove(removing) }
    }
    return acknowledged.withLock { $0 }
  }

  private func note(_ change: (inout Acknowledged) -> Void) {
    acknowledged.withLock { change(&$0) }
    count.wrappingAdd(1, ordering: .relaxed)
  }

  private func raise(_ stack: String, _ hook: String, _ round: Int) async {
    let http = HTTPClient(timeoutMilliseconds: 2_000)
    for number in 0... {
      let body: JSONValue = [
        "kind": .string(Self.kinds[number % Self.kinds.count]), "ref": .string("\(round)-\(number)"),
        "moment": "once", "wake": .bool(number % 4 == 0),
      ]
      let reply = try? await http.send(
        "POST", "http://\(server.address)/v1/stacks/\(stack)/alerts",
        headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", "application/json")],
        body: body.serialized())
      guard let reply, reply.status == 202, let id = reply.json["id"]?.string else { return }
      note { $0.alerts.insert(id) }
    }
  }

  private func register(_ stack: String, _ round: Int, _ number: Int) async {
    for index in 0... {
      let isGone = index % Self.goneEvery == 0
      let endpoint = "\(pushServer)/\(isGone ? "gone" : "up")/\(round)-\(number)-\(index)"
      // The server may be gone at any of these steps.
      guard let phone = try? await phone(stack, endpoint) else { return }
      note { $0.registered.append(phone) }
    }
  }

  private func phone(_ stack: String, _ endpoint: String) async throws -> Registered? {
    let made = try await server.admin("POST", "/stacks/\(stack)/pairings", json: [:])
    guard let code = made.json["code"]?.string else { return nil }
    let companion = try Companion()
    let reply = try await server.ask(
      "POST", "/v1/stacks/\(stack)/devices", token: code,
      json: ["client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys])
    guard reply.status == 201, let device = reply.json["device"]?.string,
      let token = reply.json["token"]?.string
    else { return nil }
    return Registered(device: device, token: token, stack: stack, endpoint: endpoint, companion: companion)
  }

  private func revoke(_ phones: [Registered]) async {
    for phone in phones {
      guard let reply = try? await server.admin("DELETE", "/devices/\(phone.device)"), reply.status < 300
      else { return }
      note { $0.ended.insert(phone.device) }
    }
  }

  private func remove(_ phones: [Registered]) async {
    for phone in phones {
      let path = "/v1/stacks/\(phone.stack)/devices/\(phone.device)"
      guard let reply = try? await server.ask("DELETE", path, token: phone.token), reply.status < 300 else {
        return
      }
      note { $0.ended.insert(phone.device) }
    }
  }
}
