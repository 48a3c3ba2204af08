import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

extension TestService {
  /// Waits until `condition` holds, where nothing tells that it does; a failure of the test where it never does.
  func eventually(
    _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it never came to hold", sourceLocation: sourceLocation)
  }

  /// A second stack of the service.
  func anotherStack() async throws -> AddedStack {
    try await store.addStack(
      id: nil, label: "other", kinds: Kind.allCases, hookTokenName: "core", at: WallClock.system.now())
  }

  /// Registers with a fresh code of any stack.
  func register(_ body: JSONValue, with stack: StackID) async throws -> Reply {
    let now = WallClock.system.now()
    let code = try await store.addPairing(stack: stack, at: now, expiresAt: now + 900_000)
    return try await send("POST", "/v1/stacks/\(stack)/devices", token: code.text, json: body)
  }

  /// What a phone reads of itself.
  func state(of phone: Phone) async throws -> JSONObject {
    try await send("GET", path(of: phone), token: phone.token).json
  }

  /// The phone that a reply made.
  func phone(_ companion: Companion, _ reply: Reply, target: String = "") throws -> Phone {
    guard let device = reply.json["device"]?.string, let token = reply.json["token"]?.string else {
      throw Unexpected(reply: reply)
    }
    return Phone(companion: companion, device: device, token: token, target: target)
  }

  /// What whoever is refused must not change: devices, alerts, kinds, tokens and codes.
  func picture() async throws -> [String] {
    let devices = try await store.devices(stack: nil, after: nil, limit: 100)
    let alerts = try await store.alerts(of: stack.id, after: nil, limit: 100)
    let kinds = try await store.stack(stack.id)?.kinds ?? []
    let names = try await store.hookTokens(of: stack.id).map(\.name) + store.adminTokens().map(\.name)
    let codes = try await store.openPairings(of: nil, after: nil, limit: 100, at: 0).map(\.id.text)
    return devices.map {
      "\($0.id) \($0.label ?? "") \($0.muted.map(\.name)) \($0.endpointDigest ?? "") \($0.state(at: 0).rawValue)"
    } + alerts.alerts.map(\.id.text) + kinds.map(\.name) + names + codes
  }
}
