import CryptoPrimitives
import EndpointRegistry
import Testing
import WakeServer

@Suite("Who may call what under /v1/admin, by TCP")
struct AdminAccessTests {
  /// Bodies of the routes that take one.
  private static let bodies = ["/v1/admin/stacks/{stack}/alerts": #"{"kind":"problem"}"#]

  /// No phone answers in these tests.
  private static let queries = ["/v1/admin/devices/{device}/doctor": "?wait=0"]

  /// Asks every admin route through a door, each in a service of its own, and says what came of it.
  private func each(
    through door: Door = .adminByToken, _ transport: Transport = .call,
    authorization: @Sendable (TestService) async throws -> String?
  ) async throws -> [(route: String, reply: Reply)] {
    var replies: [(String, Reply)] = []
    let count = try await adminRoutes().count
    #expect(count >= 10)
    for index in 0..<count {
      try await TestService.with(transport) { service in
        let route = service.application.routes.filter(\.isAdministrative)[index]
        let phone = try await service.phone()
        var path = route.pattern.text.replacing("{stack}", with: service.stack.id.text)
          .replacing("{device}", with: phone.device)
        if path.contains("{pairing}"), let code = Token(try await service.pairingCode()) {
          path = path.replacing("{pairing}", with: PairingID(of: code).text)
        }
        var headers: [(String, String)] = []
        if let field = try await authorization(service) { headers.append(("Authorization", field)) }
        let query = Self.queries[route.pattern.text] ?? ""
        let body = Self.bodies[route.pattern.text]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let reply = try await service.send(
          route.method, path + query, headers: headers, body: Array((body ?? "").utf8), door: door)
        replies.append(("\(route.method) \(route.pattern.text)", reply))
      }
    }
    return replies
  }

  private func adminRoutes() async throws -> [Route] {
    var routes: [Route] = []
    try await TestService.with { routes = $0.application.routes.filter(\.isAdministrative) }
    return routes
  }

  @Test("an admin token does everything there", arguments: Transport.allCases)
  func admin(transport: Transport) async throws {
    let replies = try await each(transport) { service in
      "Bearer \(try await service.store.addAdminToken("laptop", at: 0).text)"
    }
    for (route, reply) in replies { #expect((200..<300).contains(reply.status), "\(route): \(reply.status)") }
  }

  @Test(
    "a token of another class is told 403, of whatever stack",
    arguments: [Token.Class.hook, .pairing, .device])
  func others(tokenClass: Token.Class) async throws {
    let replies = try await each { service in
      switch tokenClass {
      case .pairing: "Bearer \(try await service.pairingCode())"
      case .device: "Bearer \(try await service.phone("/up/2").token)"
      default: "Bearer \(service.hookToken.text)"
      }
    }
    for (route, reply) in replies {
      #expect(reply.status == 403 && reply.code == "forbidden", "\(route): \(reply.status)")
    }
  }

  @Test("without a token that is known the answer is 401, and it asks for a Bearer")
  func unauthenticated() async throws {
    let fields: [@Sendable (TestService) async throws -> String?] = [
      { _ in nil }, { _ in "Bearer \(Token.minted(.admin, random: .system).text)" },
      { service in
        let token = try await service.store.addAdminToken("lost", at: 0)
        try await service.store.removeAdminToken("lost")
        return "Bearer \(token.text)"
      },
      { service in try await service.store.addAdminToken("laptop", at: 0).text },
    ]
    for field in fields {
      for (route, reply) in try await each(authorization: field) {
        #expect(reply.status == 401 && reply.code == "unauthenticated", "\(route): \(reply.status)")
        #expect(reply.header("WWW-Authenticate") == "Bearer")
      }
    }
  }

  @Test("the public door does not know these paths, also for an admin token")
  func publicDoor() async throws {
    let replies = try await each(through: .everyone) { service in
      "Bearer \(try await service.store.addAdminToken("laptop", at: 0).text)"
    }
    for (route, reply) in replies { #expect(reply.status == 404, "\(route): \(reply.status)") }
  }

  @Test("an admin token opens nothing of a stack, and the admin door has none of its paths")
  func stacks() async throws {
    try await TestService.with { service in
      let token = try await service.store.addAdminToken("laptop", at: 0).text
      for door in [Door.everyone, .adminByToken, .admin] {
        for path in [service.path, "\(service.path)/alerts"] {
          #expect(try await service.send("GET", path, token: token, door: door).status == 404)
        }
        #expect(try await service.send("GET", "/healthz", door: door).status == 200)
      }
    }
  }
}

extension Route {
  fileprivate var isAdministrative: Bool { pattern.text.hasPrefix("/v1/admin") }
}
