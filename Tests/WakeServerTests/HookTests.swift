import EndpointRegistry
import KindCatalogue
import PushDelivery
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("The send hook")
struct HookTests {
  @Test(
    "each of the six kinds is kept, answered and nudged once",
    arguments: Transport.allCases, Kind.allCases)
  func sixKinds(transport: Transport, kind: Kind) async throws {
    try await TestService.with(transport) { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let reply = try await service.hook(["kind": .string(kind.name)])
      #expect(reply.status == 202)
      #expect(reply.json["kind"]?.string == kind.name)
      #expect(reply.json["devices"] == 1)
      let messages = await service.pushServer.wait(for: 2)
      #expect(messages.count == 2)
      let list = try await service.send("GET", "\(service.path)/alerts", token: phone.token)
      #expect(list.status == 200)
      #expect(list.json["alerts"]?.array?.map { $0["id"] } == [reply.json["id"]])
      await service.settle()
      let attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
      #expect(attempts.map(\.outcome) == [.accepted, .accepted])
      #expect(attempts.map(\.purpose) == [.alert, .activation])
    }
  }

  @Test(
    "a kind that is none is refused by its code, and the answer lists the six",
    arguments: [
      "Problem", "problem ", " problem", "", "weather", "problem\n", "PROBLEM", "members", "p\u{0301}roblem",
    ])
  func unknownKind(name: String) async throws {
    try await expectRefusal(["kind": .string(name)], 422, "kind-unknown") { problem in
      #expect(problem["allowed"]?.array?.compactMap(\.string) == Kind.allCases.map(\.name))
      #expect(problem["field"] == "/kind")
    }
  }

  @Test(
    "a kind of another type is unknown, and none at all is missing",
    arguments: [
      (["kind": 1], "kind-unknown"), (["kind": ["problem"]], "kind-unknown"),
      (["kind": ["name": "problem"]], "kind-unknown"), (["kind": true], "kind-unknown"),
      (["kind": .null], "kind-missing"), ([:], "kind-missing"), (["Kind": "problem"], "kind-missing"),
    ] as [(JSONValue, String)])
  func kindForms(body: JSONValue, code: String) async throws {
    try await expectRefusal(body, 422, code)
  }

  @Test("an alert for a member is refused, for every kind", arguments: Kind.allCases)
  func members(kind: Kind) async throws {
    try await expectRefusal(["kind": .string(kind.name), "audience": "member"], 422, "audience-refused")
  }

  @Test(
    "a member of the wrong form is named",
    arguments: [
      (["kind": "problem", "event": 1], "/event"), (["kind": "problem", "ref": ""], "/ref"),
      (["kind": "problem", "event": .string(String(repeating: "e", count: 129))], "/event"),
      (["kind": "problem", "moment": "soon"], "/moment"), (["kind": "problem", "wake": "no"], "/wake"),
      (["kind": "problem", "alert": "text"], "/alert"), (["kind": "problem", "alert": []], "/alert"),
      (["kind": "problem", "audience": 1], "/audience"),
      (["kind": "problem", "alert": ["text": .string(String(repeating: "a", count: 16_374))]], "/alert"),
    ] as [(JSONValue, String)])
  func fields(body: JSONValue, field: String) async throws {
    try await expectRefusal(body, 422, "invalid-field") { #expect($0["field"]?.string == field) }
  }

  @Test("an alert of exactly 16 KiB is kept, and comes back as it was")
  func largestAlert() async throws {
    try await TestService.with { service in
      let alert: JSONValue = ["text": .string(String(repeating: "a", count: 16_373))]
      #expect(alert.serialized().count == 16_384)
      #expect(try await service.hook(["kind": "problem", "alert": alert]).status == 202)
      let list = try await service.send("GET", "\(service.path)/alerts", token: service.hookToken.text)
      #expect(list.json["alerts"]?.array?.first?["alert"] == alert)
    }
  }

  @Test("every member comes back as it was given")
  func members() async throws {
    try await TestService.with(.socket) { service in
      let alert: JSONValue = [
        "zero": 0, "pi": 3.25, "text": "a\n\"b\" ü \u{2028}", "list": [1, .null, true],
      ]
      let reply = try await service.hook([
        "kind": "update", "event": "os.update", "ref": "urn:x:1", "moment": "onset", "alert": alert,
        "further": ["un": "known"],
      ])
      #expect(reply.status == 202)
      let list = try await service.send("GET", "\(service.path)/alerts", token: service.hookToken.text)
      let kept = try #require(list.json["alerts"]?.array?.first)
      #expect(kept["event"] == "os.update" && kept["ref"] == "urn:x:1" && kept["moment"] == "onset")
      #expect(kept["alert"] == alert)
      #expect(!list.body.contains(UInt8(ascii: "\n")))
    }
  }

  @Test("a repeat of ref and moment is answered with the first id, and wakes nobody")
  func repeated() async throws {
    try await TestService.with { service in
      _ = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let body: JSONValue = ["kind": "problem", "ref": "disk", "moment": "onset"]
      let first = try await service.hook(body)
      let again = try await service.hook(body)
      #expect(first.status == 202 && again.status == 200)
      #expect(first.json["id"] == again.json["id"])
      #expect(again.json["devices"] == 0)
      await service.settle()
      #expect(service.pushServer.messages.count == 2)
    }
  }

  @Test("wake: false keeps the record and wakes nobody")
  func silent() async throws {
    try await TestService.with { service in
      _ = try await service.phone()
      let reply = try await service.hook(["kind": "completion", "wake": false])
      #expect(reply.status == 202 && reply.json["devices"] == 0)
      await service.settle()
      #expect(service.pushServer.messages.count == 1)  // the activation wake
      let list = try await service.send("GET", "\(service.path)/alerts", token: service.hookToken.text)
      #expect(list.json["alerts"]?.array?.count == 1)
    }
  }

  @Test("a kind that the stack had not declared is kept and joins its list")
  func undeclared() async throws {
    try await TestService.with(kinds: [.member]) { service in
      #expect(try await service.hook(["kind": "backup"]).status == 202)
      let stack = try await service.send("GET", service.path, token: service.hookToken.text)
      #expect(stack.json["kinds"] == ["backup", "member"])
      #expect(stack.json["catalogueVersion"]?.string == CatalogueVersion([.backup, .member]).text)
    }
  }

  /// The refusal, and that nothing was stored and nothing sent.
  private func expectRefusal(
    _ body: JSONValue, _ status: Int, _ code: String, also: (JSONObject) -> Void = { _ in }
  ) async throws {
    try await TestService.with { service in
      _ = try await service.phone()
      let reply = try await service.hook(body)
      #expect(reply.status == status)
      #expect(reply.code == code)
      also(reply.json)
      let list = try await service.send("GET", "\(service.path)/alerts", token: service.hookToken.text)
      #expect(list.json["alerts"]?.array?.isEmpty == true)
      await service.settle()
      #expect(service.pushServer.messages.count == 1)  // the activation wake
    }
  }
}
