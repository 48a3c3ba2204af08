import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("The description of the interface")
struct DescriptionTests {
  @Test("its paths and methods are the routes of the program, and no others")
  func routes() async throws {
    try await TestService.with { service in
      let routes = Set(service.application.routes.map { "\($0.method) \($0.pattern.text)" })
      let described = try await APIDescription(of: service).operations
      #expect(routes.subtracting(described).sorted() == [], "not described")
      #expect(described.subtracting(routes).sorted() == [], "not there")
    }
  }

  @Test("each operation names who may call it, and what it says to everybody else")
  func access() async throws {
    try await TestService.with { service in
      let description = try await APIDescription(of: service)
      for route in service.application.routes {
        let (method, path) = (route.method, route.pattern.text)
        let operation = description.document["paths"]?[path]?[method.lowercased()]
        let schemes = (operation?["security"]?.array ?? []).flatMap { $0.object?.names ?? [] }
        let statuses = description.statuses(of: method, path)
        #expect(Set(schemes) == Self.schemes(of: route.access), "\(method) \(path)")
        #expect(statuses.isSuperset(of: ["400", "404", "405", "413", "500", "503"]), "\(method) \(path)")
        #expect(statuses.isSuperset(of: ["401", "403", "429"]) == !schemes.isEmpty, "\(method) \(path)")
        let hasBody = operation?["requestBody"] != nil
        #expect(statuses.contains("415") == hasBody, "\(method) \(path)")
      }
    }
  }

  private static func schemes(of access: Access) -> Set<String> {
    switch access {
    case .anyone: []
    case .operatorOnly: ["adminToken"]
    case .device: ["deviceToken"]
    case .stack(let classes):
      Set(
        classes.map {
          switch $0 {
          case .hook: "hookToken"
          case .pairing: "pairingToken"
          case .device: "deviceToken"
          case .admin: "adminToken"
          }
        })
    }
  }

  @Test("its lists of words are the program's")
  func words() async throws {
    try await TestService.with { service in
      let description = try await APIDescription(of: service)
      #expect(try description.words("Kind") == Kind.allCases.map(\.name))
      #expect(try description.words("Outcome") == AttemptOutcome.allCases.map(\.rawValue))
      #expect(try description.words("DeviceState") == DeviceState.allCases.map(\.rawValue))
      #expect(try description.words("Link") == DoctorLink.allCases.map(\.rawValue))
      #expect(try description.words("Verdict") == DoctorVerdict.allCases.map(\.rawValue))
      #expect(try description.words("ProblemCode") == ProblemCode.allCases.map(\.rawValue))
    }
  }

  @Test("it is served to everybody, through every door")
  func served() async throws {
    try await TestService.with { service in
      for door in [Door.everyone, .admin, .adminByToken] {
        let reply = try await service.send("GET", "/v1/openapi.json", door: door)
        #expect(reply.status == 200 && reply.header("Content-Type") == "application/json")
        let document = try StrictJSON.parse(reply.body, limits: APIDescription.limits)
        #expect(document["openapi"] == "3.1.0")
      }
    }
  }

  /// What is asked of the running service, with its answer held to the description.
  private struct Asking {
    let service: TestService
    let description: APIDescription
    let phone: Phone
    let code: String

    /// Asks, and records what is wrong with the answer.
    func callAsFunction(
      _ method: String, _ pattern: String, _ status: Int, query: String = "", token: String? = nil,
      json: JSONValue? = nil, pairing: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let path =
        pattern.replacing("{stack}", with: service.stack.id.text)
        .replacing("{device}", with: phone.device).replacing("{pairing}", with: pairing) + query
      let door: Door = pattern.hasPrefix("/v1/admin") ? .admin : .everyone
      let reply =
        if let json {
          try await service.send(method, path, token: token, json: json, door: door)
        } else {
          try await service.send(method, path, token: token, door: door)
        }
      #expect(reply.status == status, "\(method) \(path)", sourceLocation: sourceLocation)
      #expect(description.faults(method, pattern, reply) == [], sourceLocation: sourceLocation)
    }
  }

  @Test("the answers of a running service are as it says")
  func answers() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      let phone = try await service.phone("/up/good")
      let bad = try await service.phone("/up/bad")
      _ = await service.pushServer.wait(for: 2)
      service.pushServer.answer("/up/bad", with: 403)
      let ask = Asking(
        service: service, description: try await APIDescription(of: service), phone: phone,
        code: try await service.pairingCode())
      let (hook, device) = (service.hookToken.text, phone.token)
      let stack = "/v1/stacks/{stack}"
      for path in ["/healthz", "/readyz", "/v1/kinds", "/v1/openapi.json"] { try await ask("GET", path, 200) }
      let other = try await service.send("POST", "/healthz")
      #expect(other.status == 405 && ask.description.faults("GET", "/healthz", other) == [])

      try await ask(
        "POST", "\(stack)/alerts", 202, token: hook, json: ["kind": "problem", "ref": "a", "alert": [:]])
      try await ask("POST", "\(stack)/alerts", 200, token: hook, json: ["kind": "problem", "ref": "a"])
      try await ask("POST", "\(stack)/alerts", 422, token: hook, json: ["kind": "x"])
      try await ask("POST", "\(stack)/alerts", 401, json: ["kind": "problem"])
      try await ask("POST", "\(stack)/alerts", 403, token: device, json: ["kind": "problem"])
      try await ask("POST", "\(stack)/alerts", 415, token: hook)
      await service.settle()
      try await ask("GET", stack, 200, token: device)
      try await ask("GET", "\(stack)/alerts", 200, token: device)
      try await ask("GET", "\(stack)/alerts", 200, query: "?after=nonsense&limit=1", token: hook)
      try await ask("GET", "\(stack)/alerts", 400, query: "?limit=0", token: hook)
      try await ask("PUT", "\(stack)/kinds", 200, token: hook, json: ["kinds": ["problem"]])
      try await ask("GET", "\(stack)/delivery", 200, token: hook)

      try await ask("POST", "\(stack)/devices", 403, token: bad.token, json: [:])
      try await ask("POST", "\(stack)/devices", 422, token: ask.code, json: [:])
      try await ask(
        "POST", "\(stack)/devices", 201, token: ask.code, json: ["client": .string(try Companion().client)])
      try await ask("GET", "\(stack)/devices/{device}", 200, token: device)
      try await ask(
        "PATCH", "\(stack)/devices/{device}", 200, token: device, json: ["label": "x", "muted": ["update"]])
      try await ask("POST", "\(stack)/devices/{device}/receipts", 204, token: device, json: ["w": "x"])
      try await ask("POST", "\(stack)/devices/{device}/test", 202, token: device, json: [:])
      try await ask("GET", "\(stack)/devices/{device}", 404, token: bad.token)
      try await ask(
        "POST", "\(stack)/devices/{device}/doctor", 200, query: "?wait=0", token: device, json: [:])

      let admin = "/v1/admin"
      for path in ["stacks", "devices", "attempts", "push-servers", "pairings"] {
        try await ask("GET", "\(admin)/\(path)", 200)
        try await ask("GET", "\(admin)/\(path)", 200, query: "?limit=1")
        for query in [
          "?limit=", "?limit=0", "?limit=+5", "?limit=201", "?cursor=", "?cursor=%20", "?cursor=/x",
        ] {
          try await ask("GET", "\(admin)/\(path)", 400, query: query)
        }
      }
      for query in [
        "?cursor=-1", "?cursor=+1", "?cursor=", "?stack=", "?device=x", "?outcome=ok", "?limit=201",
      ] {
        try await ask("GET", "\(admin)/attempts", 400, query: query)
      }
      try await ask("POST", "\(admin)/stacks/{stack}/alerts", 202, json: ["kind": "problem"])
      try await ask("POST", "\(admin)/stacks/{stack}/pairings", 201)
      let open = try #require(
        try await service.store.openPairings(of: nil, after: nil, limit: 1, at: clock.now).first)
      try await ask("DELETE", "\(admin)/pairings/{pairing}", 204, pairing: open.id.text)
      try await ask("DELETE", "\(admin)/pairings/{pairing}", 404, pairing: open.id.text)
      clock.pass(60_000)
      try await ask("POST", "\(admin)/devices/{device}/test", 200)
      try await ask("POST", "\(admin)/devices/{device}/doctor", 200, query: "?wait=0")
      try await ask("POST", "\(admin)/devices/{device}/doctor", 400, query: "?wait=301")
      try await ask("POST", "\(admin)/doctor", 200)
      try await ask("DELETE", "\(admin)/devices/{device}", 204)
      try await ask("POST", "\(admin)/devices/{device}/doctor", 410)
      try await ask("GET", "\(stack)/devices/{device}", 410, token: device)
    }
  }

  @Test("an examination that tells the operator of the settings is as it says")
  func settings() async throws {
    let configuration = try Configuration(
      ConfigurationSources(), environment: [:], workingFolder: "/nonexistent")
    let settings = SettingsInForce(configuration, listening: ["127.0.0.1:8090"]).json
    try await TestService.with(delivers: false, examining: { $0.inForce = settings }) { service in
      let description = try await APIDescription(of: service)
      let phone = try await service.phone()
      for (path, query) in [("/v1/admin/doctor", ""), ("/v1/admin/devices/{device}/doctor", "?wait=0")] {
        let target = path.replacing("{device}", with: phone.device) + query
        let reply = try await service.send("POST", target, door: .admin)
        #expect(reply.json["configuration"] == settings)
        #expect(description.faults("POST", path, reply) == [])
      }
    }
  }

  @Test(
    "an attempt of every outcome is as it says, and is explained unless it was accepted",
    arguments: AttemptOutcome.allCases)
  func outcomes(outcome: AttemptOutcome) async throws {
    try await TestService.with(delivers: false) { service in
      let description = try await APIDescription(of: service)
      let device = try #require(DeviceID(String(repeating: "a", count: 26)))
      for (status, reason) in [(Int?.none, String?.none), (403, "words"), (nil, "words")] {
        let attempt = Attempt(
          id: 1, at: 0, stack: service.stack.id, device: device, alertFirst: nil, alertLast: nil,
          alertCount: 0, outcome: outcome, status: status, reason: reason, pushServer: "https://push.example",
          milliseconds: 1, receiptAt: nil, purpose: .alert)
        let value = Presentation.attempt(attempt)
        #expect(description.faults(of: value, by: try description.schema("Attempt"), at: "") == [])
        #expect((value["explanation"] == .null) == (outcome == .accepted))
      }
    }
  }

  @Test("the events of a stream are as it says")
  func events() async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let phone = try await service.phone()
      let description = try await APIDescription(of: service)
      #expect(try await service.hook(["kind": "problem", "moment": "onset"]).status == 202)
      let listener = try await StreamListener(service, token: phone.token, lastEventID: "nonsense")
      for (name, schema) in [("hello", "Hello"), ("gap", "Gap"), ("alert", "Alert")] {
        let event = try await listener.next()
        #expect(event.event == name)
        #expect(description.faults(of: event.json, by: try description.schema(schema), at: "") == [])
      }
    }
  }

  @Test("a fault in an answer is found")
  func found() async throws {
    try await TestService.with(delivers: false) { service in
      let description = try await APIDescription(of: service)
      let schema = try description.schema("Gap")
      let right: JSONValue = ["reason": "ahead", "oldest": .null, "newest": "aaaaaaaa-1"]
      #expect(description.faults(of: right, by: schema, at: "") == [])
      let wrong: [JSONValue] = [
        ["reason": "x", "oldest": .null, "newest": "aaaaaaaa-1"],
        ["reason": "ahead", "newest": "aaaaaaaa-1"],
        ["reason": "ahead", "oldest": 1, "newest": "aaaaaaaa-1"],
        ["reason": "ahead", "oldest": .null, "newest": "A"], [], .null,
      ]
      for value in wrong { #expect(description.faults(of: value, by: schema, at: "").count >= 1, "\(value)") }
      let reply = Reply(status: 418, headers: [], body: [])
      #expect(description.faults("GET", "/healthz", reply).count == 1)
    }
  }
}
