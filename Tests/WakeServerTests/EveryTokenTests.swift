import CryptoPrimitives
import EndpointRegistry
import HTTPListener
import StandIns
import StrictJSON
import Testing
import WakeServer

/// Walks the table of routes with what is no token, with tokens of every class and with those that have ended.
@Suite("Every sort of token, on every route, through every door")
struct EveryTokenTests {
  private static let doors = [Door.everyone, .admin, .adminByToken]

  /// What a route tells a bearer through a door; nil where it is for them.
  private static func refusal(
    of route: Route, through door: Door, _ bearer: Bearer
  ) -> (status: Int, code: String)? {
    let isThere = route.door == nil || route.door == door || (route.door, door) == (.admin, .adminByToken)
    guard isThere else { return (404, "not-found") }
    switch route.access {
    case .anyone: return nil
    case .operatorOnly where door == .admin: return nil
    case .operatorOnly:
      return switch bearer.standing {
      case .unknown: (401, "unauthenticated")
      case .admin: nil
      default: (403, "forbidden")
      }
    case .stack, .device:
      switch bearer.standing {
      case .unknown: return (401, "unauthenticated")
      case .admin, .ofAnotherStack: return (404, "not-found")
      case .gone: return (410, "gone")
      case .ended(let code): return (403, code)
      case .own(let tokenClass):
        if case .stack(let classes) = route.access, classes.contains(tokenClass) { return nil }
        return tokenClass == .device && isOfDevice(route) ? nil : (403, "forbidden")
      case .anotherDevice:
        if case .stack(let classes) = route.access, classes.contains(.device) { return nil }
        return isOfDevice(route) ? (404, "not-found") : (403, "forbidden")
      }
    }
  }

  private static func isOfDevice(_ route: Route) -> Bool {
    if case .device = route.access { true } else { false }
  }

  /// Asks as somebody whom nobody has seen before, lest the limit for wrong tokens answers.
  private static func ask(
    _ service: TestService, _ route: Route, _ path: String, _ token: String?, _ door: Door, number: Int
  ) async -> Reply {
    let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
    let peer = "2001:db8:0:\(String(number, radix: 16))::1"
    let response = await service.application.respond(
      to: HTTPRequest(method: route.method, target: path, headers: headers, peer: peer), through: door)
    return Reply(status: response.status, headers: response.headers, body: response.body)
  }

  @Test("where it has no business it is refused, everywhere alike, and changes nothing")
  func refused() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      let bearers = try await Bearer.all(of: service, phone)
      let visits = try await RouteVisit.all(of: service, phone)
      let before = try await service.picture()
      var number = 0
      for visit in visits {
        // The same where no stack, and no device, is there.
        let paths = [
          visit.path, visit.path.replacing(service.stack.id.text, with: "nobody-here"),
          visit.path.replacing(phone.device, with: String(repeating: "a", count: 26)),
        ]
        for door in Self.doors {
          for bearer in bearers {
            guard let expected = Self.refusal(of: visit.route, through: door, bearer) else { continue }
            var told: [Reply] = []
            for path in paths {
              number += 1
              told.append(await Self.ask(service, visit.route, path, bearer.token, door, number: number))
            }
            let what = "\(bearer.name): \(visit.name) through \(door)"
            #expect(told[0].status == expected.status && told[0].code == expected.code, "\(what)")
            // A token that belongs to another place does not even learn which places there are.
            if expected.status == 404 {
              #expect(told.allSatisfy { $0.status == 404 && $0.body == told[0].body }, "\(what)")
            }
            #expect(told.allSatisfy { (400..<500).contains($0.status) }, "\(what)")
          }
        }
      }
      #expect(number > 1_000)
      #expect(try await service.picture() == before)
    }
  }

  @Test("without one there are four pages, which tell nothing of a stack, and nothing else is answered")
  func stranger() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      let visits = try await RouteVisit.all(of: service, phone)
      let unknown = Token.minted(.device, random: .system).text
      for (door, other) in [(Door.everyone, Door.admin), (.adminByToken, .everyone)] {
        for token in [nil, unknown] {
          var pages: [String] = []
          for (number, visit) in visits.enumerated() {
            let reply = await Self.ask(service, visit.route, visit.path, token, door, number: number)
            if reply.status == 200 { pages.append(visit.name) }
            let elsewhere = visit.route.door == other ? 404 : 401
            #expect([200, elsewhere].contains(reply.status), "\(visit.name): \(reply.status)")
            let text = String(decoding: reply.body, as: UTF8.self)
            for secret in [service.stack.id.text, service.stack.vapidPublicKey, phone.device] {
              #expect(!text.contains(secret), "\(visit.name)")
            }
          }
          #expect(pages.sorted() == ["GET /healthz", "GET /readyz", "GET /v1/kinds", "GET /v1/openapi.json"])
        }
      }
    }
  }
}

/// Somebody who calls, and what they are to the stack and the device that the paths name.
private struct Bearer {
  enum Standing {
    case unknown, own(Token.Class), anotherDevice, ofAnotherStack, admin
    /// The registration was revoked.
    case gone
    /// A pairing code that registers nobody any more, and what it is told.
    case ended(String)
  }

  let name: String
  let token: String?
  let standing: Standing

  private init(_ name: String, _ token: String?, _ standing: Standing) {
    (self.name, self.token, self.standing) = (name, token, standing)
  }

  static func all(of service: TestService, _ phone: Phone) async throws -> [Bearer] {
    let (store, stack, now) = (service.store, service.stack.id, WallClock.system.now())
    var all = [
      Bearer("nobody", nil, .unknown), Bearer("a receipt", String(repeating: "w", count: 22), .unknown),
      Bearer("a core", service.hookToken.text, .own(.hook)),
      Bearer("a phone", phone.token, .own(.device)),
      Bearer("a pairing code", try await service.pairingCode(), .own(.pairing)),
      Bearer("another phone", try await service.phone("/up/2").token, .anotherDevice),
      Bearer("an operator", try await store.addAdminToken("laptop", at: now).text, .admin),
    ]
    for tokenClass in Token.Class.allCases {
      all.append(Bearer("an unknown \(tokenClass)", Token.minted(tokenClass, random: .system).text, .unknown))
    }

    let other = try await service.anotherStack()
    let client: JSONValue = ["client": .string(try Companion().client)]
    let foreign = try await service.register(client, with: other.stack.id)
    all += [
      Bearer("another stack's core", other.hookToken.text, .ofAnotherStack),
      Bearer("another stack's phone", foreign.json["token"]?.string, .ofAnotherStack),
      Bearer(
        "another stack's pairing code",
        try await store.addPairing(stack: other.stack.id, at: now, expiresAt: now + 900_000).text,
        .ofAnotherStack),
    ]

    let hook = try await store.addHookToken("revoked", to: stack, at: now)
    try await store.removeHookToken("revoked", of: stack)
    let admin = try await store.addAdminToken("revoked", at: now)
    try await store.removeAdminToken("revoked")
    let used = try await store.addPairing(stack: stack, at: now, expiresAt: now + 900_000)
    let gone = try await store.register(Registration(pairing: used, client: .minted(.system)), at: now)
    try await store.removeDevice(gone.device.id, at: now)
    let expired = try await store.addPairing(stack: stack, at: now - 1, expiresAt: now)
    return all + [
      Bearer("a core whose token was revoked", hook.text, .unknown),
      Bearer("an operator whose token was revoked", admin.text, .unknown),
      Bearer("a phone that was revoked", gone.token.text, .gone),
      Bearer("the code that made it", used.text, .ended("pairing-used")),
      Bearer("a code that has expired", expired.text, .ended("pairing-expired")),
    ]
  }
}
