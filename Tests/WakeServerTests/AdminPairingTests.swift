import EndpointRegistry
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("Pairing codes, through the admin door")
struct AdminPairingTests {
  private static func make(_ service: TestService) async throws -> Reply {
    try await service.send("POST", "/v1/admin\(service.path.dropFirst(3))/pairings", door: .admin)
  }

  private static func open(_ service: TestService, _ query: String = "") async throws -> Reply {
    try await service.send("GET", "/v1/admin/pairings\(query)", door: .admin)
  }

  private static func names(_ reply: Reply) -> [String] {
    (reply.json["pairings"]?.array ?? []).compactMap { $0["pairing"]?.string }
  }

  @Test("a code registers one device, and is not open any more")
  func registers() async throws {
    try await TestService.with(delivers: false) { service in
      let made = try await Self.make(service)
      #expect(made.status == 201 && made.json["stack"]?.string == service.stack.id.text)
      #expect(made.json["uri"] == .null)
      let (code, name) = (try #require(made.json["code"]?.string), try #require(made.json["pairing"]?.string))
      #expect(try await Self.names(Self.open(service)) == [name])
      let body: JSONValue = ["client": .string(try Companion().client)]
      #expect(
        try await service.send("POST", "\(service.path)/devices", token: code, json: body).status == 201)
      #expect(try await Self.names(Self.open(service)) == [])
      #expect(try await service.send("DELETE", "/v1/admin/pairings/\(name)", door: .admin).status == 404)
    }
  }

  @Test("a code that was withdrawn registers nobody")
  func withdrawn() async throws {
    try await TestService.with(delivers: false) { service in
      let made = try await Self.make(service).json
      let (code, name) = (try #require(made["code"]?.string), try #require(made["pairing"]?.string))
      #expect(try await service.send("DELETE", "/v1/admin/pairings/\(name)", door: .admin).status == 204)
      let body: JSONValue = ["client": .string(try Companion().client)]
      let reply = try await service.send("POST", "\(service.path)/devices", token: code, json: body)
      #expect(reply.status == 401)
      for other in [name, String(name.dropLast()), code, "a"] {
        #expect(try await service.send("DELETE", "/v1/admin/pairings/\(other)", door: .admin).status == 404)
      }
    }
  }

  @Test("a code that has expired is not listed, and cannot be withdrawn")
  func expired() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      let name = try #require(try await Self.make(service).json["pairing"]?.string)
      clock.pass(Limits.pairingMilliseconds - 1)
      #expect(try await Self.names(Self.open(service)) == [name])
      clock.pass(1)
      #expect(try await Self.names(Self.open(service)) == [])
      #expect(try await service.send("DELETE", "/v1/admin/pairings/\(name)", door: .admin).status == 404)
    }
  }

  @Test("the list is paged, the next to expire first, and can be of one stack")
  func pages() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      var names: [String] = []
      for _ in 0..<3 {
        names.append(try #require(try await Self.make(service).json["pairing"]?.string))
        clock.pass(1_000)
      }
      let first = try await Self.open(service, "?limit=2")
      #expect(Self.names(first) == Array(names.prefix(2)))
      let cursor = try #require(first.json["next"]?.string)
      let second = try await Self.open(service, "?limit=2&cursor=\(cursor)")
      #expect(Self.names(second) == [names[2]] && second.json["next"] == .null)
      #expect(try await Self.names(Self.open(service, "?stack=\(service.stack.id.text)")) == names)
      #expect(try await Self.names(Self.open(service, "?stack=another-stack")) == [])
      for query in ["?stack=", "?cursor=", "?cursor=x", "?limit=0"] {
        #expect(try await Self.open(service, query).status == 400, "\(query)")
      }
      #expect(!String(decoding: try await Self.open(service).body, as: UTF8.self).contains("wkp_"))
    }
  }

  @Test("of a stack that is not there no code is made")
  func noStack() async throws {
    try await TestService.with(delivers: false) { service in
      let reply = try await service.send("POST", "/v1/admin/stacks/another-stack/pairings", door: .admin)
      #expect(reply.status == 404)
    }
  }
}
