internal import EndpointRegistry
internal import HTTPListener
internal import StrictJSON

/// What the operator may do through the admin door.
struct AdminRoutes: Sendable {
  let store: any RegistryStore
  let hook: SendHook
  let pipeline: WakePipeline

  var routes: [Route] {
    [
      route("GET", "/v1/admin/stacks", stacks),
      route("POST", "/v1/admin/stacks/{stack}/alerts", raise),
      route("GET", "/v1/admin/devices", devices),
      route("DELETE", "/v1/admin/devices/{device}", revoke),
      route("POST", "/v1/admin/devices/{device}/test", test),
      route("GET", "/v1/admin/attempts", attempts),
      route("GET", "/v1/admin/push-servers", pushServers),
    ]
  }

  private func route(_ method: String, _ path: String, _ handler: @escaping Route.Handler) -> Route {
    .forOperator(method, path, handler)
  }

  @Sendable private func stacks(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let after = try query.cursor(StackID.init)
    let all = try await registry { () async throws(RegistryError) in try await store.stacks() }
    // A service holds few stacks: they are read whole, and the page is cut here.
    let rest = after.map { after in all.drop { $0.id != after }.dropFirst() } ?? all[...]
    let page = rest.prefix(limit)
    return .json([
      "stacks": .array(page.map(Presentation.ownStack)),
      "next": rest.count > page.count ? Presentation.text(page.last?.id.text) : .null,
    ])
  }

  @Sendable private func raise(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let request = try AlertRequest(context.object())
    return try await hook.raise(request, for: context.stack, at: context.at)
  }

  @Sendable private func devices(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let stack = try query.identifier("stack", "the id of a stack", StackID.init)
    let after = try query.cursor(DeviceID.init)
    let devices = try await registry { () async throws(RegistryError) in
      try await store.devices(stack: stack, after: after, limit: limit)
    }
    return .json([
      "devices": .array(devices.map { Presentation.listedDevice($0, at: context.at) }),
      "next": devices.count == limit ? Presentation.text(devices.last?.id.text) : .null,
    ])
  }

  @Sendable private func revoke(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let id = try context.device
    try await registry { () async throws(RegistryError) in try await store.removeDevice(id, at: context.at) }
    return .noContent
  }

  /// Sends a test wake, waits for the push server's answer, and tells it.
  @Sendable private func test(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let id = try context.device
    let device = try await registry { () async throws(RegistryError) in try await store.device(id) }
    guard let device else { throw Problem(RegistryError.notFound) }
    let sent = try await registry { () async throws(RegistryError) in
      try await pipeline.test(id, of: device.stack)
    }
    guard let sent else {
      throw Problem.nothingToWake(device, at: context.at)
    }
    let row = try await registry { () async throws(RegistryError) in
      try await store.attempts(AttemptFilter(device: id), before: sent + 1, limit: 1)
    }
    guard let attempt = row.first else { throw Problem(RegistryError.notFound) }
    return .json(Presentation.attempt(attempt))
  }

  @Sendable private func pushServers(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let after = try query.cursor(Self.origin)
    let servers = try await registry { () async throws(RegistryError) in
      try await store.pushServers(after: after, limit: limit, at: context.at)
    }
    return .json([
      "pushServers": .array(servers.map(Presentation.listedPushServer)),
      "next": servers.count == limit ? Presentation.text(servers.last?.origin) : .null,
    ])
  }

  /// A number in its usual form: digits alone.
  private static func attemptID(_ text: String) -> AttemptID? {
    WholeNumber.parse(text, in: 0...AttemptID.max)
  }

  private static let outcomes =
    "one of \(AttemptOutcome.allCases.map(\.rawValue).joined(separator: ", "))"

  /// A scheme, a host, and a port where there is one: `https://[2001:db8::1]:65535`.
  private static func origin(_ text: String) -> String? {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let authority = text.utf8.dropFirst(scheme.utf8.count)
    guard (1...originOctets).contains(authority.count),
      authority.allSatisfy({ octet in
        (0x61...0x7a).contains(octet) || (0x30...0x39).contains(octet) || ".-:[]".utf8.contains(octet)
      })
    else { return nil }
    return text
  }

  /// The longest name of a host (RFC 1035 §2.3.4), a colon and a port.
  private static let originOctets = 253 + 1 + 5

  @Sendable private func attempts(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let filter = AttemptFilter(
      stack: try query.identifier("stack", "the id of a stack", StackID.init),
      device: try query.identifier("device", "the id of a device", DeviceID.init),
      outcome: try query.identifier("outcome", Self.outcomes, AttemptOutcome.init(rawValue:)))
    let before = try query.cursor(Self.attemptID)
    let attempts = try await registry { () async throws(RegistryError) in
      try await store.attempts(filter, before: before, limit: limit)
    }
    return .json([
      "attempts": .array(attempts.map(Presentation.attempt)),
      "next": attempts.count == limit ? attempts.last.map { .integer($0.id) } ?? .null : .null,
    ])
  }
}

extension Route {
  /// A route of the admin door.
  static func forOperator(_ method: String, _ path: String, _ handler: @escaping Handler) -> Route {
    Route(method, path, door: .admin, access: .operatorOnly, handler: handler)
  }
}
