import CryptoPrimitives
import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("Who may call what")
struct AccessTests {
  /// A line of the table: a route, a body that it would take, and the classes of token that it is for.
  struct Line: Sendable, CustomTestStringConvertible {
    let method: String
    /// With `{device}` for the caller's own device.
    let path: String
    /// What is asked for beside the path.
    var query: String { path.hasSuffix("/doctor") ? "?wait=0" : "" }
    let json: JSONValue?
    let allowed: Set<Token.Class>

    init(_ method: String, _ path: String, _ json: JSONValue? = nil, for allowed: Set<Token.Class>) {
      (self.method, self.path, self.json, self.allowed) = (method, path, json, allowed)
    }

    var testDescription: String { "\(method) \(path)" }
  }

  static let table = [
    Line("GET", "", for: [.pairing, .device, .hook]),
    Line("PUT", "/kinds", ["kinds": ["problem"]], for: [.hook]),
    Line("POST", "/alerts", ["kind": "problem"], for: [.hook]),
    Line("GET", "/alerts", for: [.device, .hook]),
    Line("POST", "/devices", ["client": "AAAAAAAAAAAAAAAAAAAAAA"], for: [.pairing]),
    Line("GET", "/devices/{device}", for: [.device]),
    Line("PATCH", "/devices/{device}", ["label": "other"], for: [.device]),
    Line("DELETE", "/devices/{device}", for: [.device]),
    Line("POST", "/devices/{device}/receipts", ["w": "AAAAAAAAAAAAAAAAAAAAAA"], for: [.device]),
    Line("POST", "/devices/{device}/test", [:], for: [.device]),
    Line("POST", "/devices/{device}/doctor", for: [.device]),
    Line("GET", "/events", for: [.device]),
    Line("GET", "/delivery", for: [.hook]),
  ]

  @Test("the table has a line for every route that needs a token")
  func complete() async throws {
    try await TestService.with { service in
      let guarded = service.application.routes.filter { route in
        switch route.access {
        case .stack, .device: true
        case .anyone, .operatorOnly: false
        }
      }
      let listed = Set(Self.table.map { "\($0.method) /v1/stacks/{stack}\($0.path)" })
      #expect(Set(guarded.map { "\($0.method) \($0.pattern.text)" }) == listed)
    }
  }

  @Test(
    "each class of token does what it is for, and is told 403 elsewhere on its own stack", arguments: table)
  func classes(line: Line) async throws {
    for tokenClass in [Token.Class.hook, .pairing, .device] {
      try await TestService.with { service in
        let caller = try await Caller(service)
        let reply = try await service.call(line, device: caller.device, token: caller.token(tokenClass))
        if line.allowed.contains(tokenClass) {
          #expect((200..<300).contains(reply.status), "\(tokenClass)")
        } else {
          #expect(reply.status == 403 && reply.code == "forbidden", "\(tokenClass)")
        }
      }
    }
  }

  @Test("without a token that is known the answer is 401, and it asks for a Bearer", arguments: table)
  func unauthenticated(line: Line) async throws {
    try await TestService.with { service in
      let caller = try await Caller(service)
      let unknown = Token.minted(.hook, random: .system).text
      let fields: [String?] = [
        nil, "", "Bearer", "Bearer ", "Bearer x", "Basic \(unknown)", "Bearer \(unknown)",
        "Bearer \(service.hookToken.text) ", "Bearer \(service.hookToken.text.uppercased())",
        service.hookToken.text,
      ]
      for field in fields {
        let reply = try await service.call(line, device: caller.device, authorization: field)
        #expect(reply.status == 401 && reply.code == "unauthenticated")
        #expect(reply.header("WWW-Authenticate") == "Bearer")
      }
    }
  }

  @Test("two tokens are none, in whatever order they come")
  func two() async throws {
    try await TestService.with { service in
      let fields = [service.hookToken.text, Token.minted(.hook, random: .system).text].map {
        ("Authorization", "Bearer \($0)")
      }
      for headers in [fields, fields.reversed(), [fields[0], fields[0]]] {
        let reply = try await service.send("GET", service.path, headers: headers)
        #expect(reply.status == 401 && reply.code == "unauthenticated")
      }
      #expect(try await service.send("GET", service.path, headers: [fields[0]]).status == 200)
    }
  }

  @Test(
    "another stack's token reads and changes nothing: 404, whether the path exists or not", arguments: table)
  func otherStack(line: Line) async throws {
    try await TestService.with { service in
      let caller = try await Caller(service)
      let other = try await service.store.addStack(
        id: nil, label: "other", kinds: Kind.allCases, hookTokenName: "core", at: 0)
      let foreignPairing = try await service.store.addPairing(
        stack: other.stack.id, at: WallClock.system.now(), expiresAt: .max)
      let foreignPhone = try await service.store.register(
        Registration(
          pairing: service.store.addPairing(
            stack: other.stack.id, at: WallClock.system.now(), expiresAt: .max), client: .minted(.system)),
        at: WallClock.system.now()
      ).token
      let before = try await service.picture()
      for token in [other.hookToken, foreignPairing, foreignPhone] {
        let reply = try await service.call(line, device: caller.device, token: token.text)
        #expect(reply.status == 404 && reply.code == "not-found")
      }
      let nowhere = try await service.send(
        line.method, "/v1/stacks/aaaaaaaaaaaaaaaaaaaaaaaaaa\(line.path)", token: other.hookToken.text)
      #expect(nowhere.status == 404 && nowhere.code == "not-found")
      #expect(try await service.picture() == before)
    }
  }

  @Test("another device's token reads and changes nothing: 404", arguments: ["GET", "PATCH", "DELETE"])
  func otherDevice(method: String) async throws {
    try await TestService.with { service in
      let mine = try await service.phone("/up/1")
      let other = try await service.phone("/up/2")
      let reply = try await service.send(
        method, "\(service.path)/devices/\(mine.device)", token: other.token, json: ["label": "taken"])
      #expect(reply.status == 404)
      for route in ["receipts", "test"] {
        let reply = try await service.send(
          "POST", "\(service.path)/devices/\(mine.device)/\(route)", token: other.token, json: ["w": "x"])
        #expect(reply.status == 404)
      }
      let devices = try await service.store.devices(stack: nil, after: nil, limit: 10)
      #expect(devices.count == 2 && devices.allSatisfy { $0.label == nil })
    }
  }

  @Test("a device that was removed or revoked is told 410 gone from then on", arguments: [true, false])
  func gone(byItself: Bool) async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      let path = "\(service.path)/devices/\(phone.device)"
      if byItself {
        #expect(try await service.send("DELETE", path, token: phone.token).status == 204)
      } else {
        let reply = try await service.send("DELETE", "/v1/admin/devices/\(phone.device)", door: .admin)
        #expect(reply.status == 204)
      }
      for line in Self.table {
        let reply = try await service.call(line, device: phone.device, token: phone.token)
        #expect(reply.status == 410 && reply.code == "gone", "\(line)")
      }
    }
  }

  @Test("the public door knows nothing of the admin's paths, whatever the token")
  func adminPaths() async throws {
    try await TestService.with(.socket) { service in
      for route in service.application.routes where route.pattern.text.hasPrefix("/v1/admin") {
        let path = route.pattern.text.replacing("{stack}", with: service.stack.id.text)
        let reply = try await service.send(route.method, path, token: service.hookToken.text)
        #expect(reply.status == 404)
      }
    }
  }
}

/// One token of each class, of one stack.
private struct Caller {
  let hook: String
  let pairing: String
  let phone: Phone

  init(_ service: TestService) async throws {
    hook = service.hookToken.text
    pairing = try await service.pairingCode()
    phone = try await service.phone()
  }

  var device: String { phone.device }

  func token(_ tokenClass: Token.Class) -> String {
    switch tokenClass {
    case .hook: hook
    case .pairing: pairing
    default: phone.token
    }
  }
}

extension TestService {
  fileprivate func call(_ line: AccessTests.Line, device: String, token: String) async throws -> Reply {
    try await call(line, device: device, authorization: "Bearer \(token)")
  }

  fileprivate func call(_ line: AccessTests.Line, device: String, authorization: String?) async throws
    -> Reply
  {
    var headers: [(String, String)] = []
    if let authorization { headers.append(("Authorization", authorization)) }
    if line.json != nil { headers.append(("Content-Type", "application/json")) }
    return try await send(
      line.method, path + line.path.replacing("{device}", with: device) + line.query, headers: headers,
      body: line.json?.serialized() ?? [])
  }
}
