import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("What wakes nobody")
struct QuietTests {
  private static func declare(_ body: JSONValue, in service: TestService) async throws -> Reply {
    try await service.send("PUT", "\(service.path)/kinds", token: service.hookToken.text, json: body)
  }

  private static let completion: JSONObject = ["kinds": ["problem", "completion"], "quiet": ["completion"]]

  @Test("an alert that asks to wake nobody is kept, and read like any other")
  func wakeFalse() async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let kept = try await service.hook(["kind": "problem", "wake": false])
      #expect(kept.status == 202 && kept.json["devices"] == 0)
      await service.settle()
      #expect(service.pushServer.messages.count == 1)
      let read = try await service.send("GET", "\(service.path)/alerts", token: phone.token)
      guard case .array(let alerts)? = read.json["alerts"] else { Issue.record("no alerts"); return }
      #expect(alerts.count == 1 && alerts[0]["id"] == kept.json["id"])
    }
  }

  @Test("a stack whose finished jobs are quiet wakes for one that asks, and for everything else")
  func quietCompletion() async throws {
    try await TestService.with { service in
      _ = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let declared = try await Self.declare(.object(Self.completion), in: service)
      #expect(declared.status == 200 && declared.json["quiet"] == ["completion"])
      #expect(try await service.hook(["kind": "completion"]).json["devices"] == 0)
      #expect(try await service.hook(["kind": "completion", "wake": false]).json["devices"] == 0)
      #expect(try await service.hook(["kind": "completion", "wake": true]).json["devices"] == 1)
      _ = await service.pushServer.wait(for: 2)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      _ = await service.pushServer.wait(for: 3)
      await service.settle()
      #expect(service.pushServer.messages.count == 3)
    }
  }

  @Test("kinds that are declared without a word on quiet leave it as it was, and an empty list ends it")
  func redeclared() async throws {
    try await TestService.with(delivers: false) { service in
      _ = try await Self.declare(.object(Self.completion), in: service)
      let again = try await Self.declare(["kinds": ["completion"]], in: service)
      #expect(again.json["quiet"] == ["completion"])
      let ended = try await Self.declare(["kinds": ["completion"], "quiet": []], in: service)
      #expect(ended.json["quiet"] == [])
    }
  }

  @Test(
    "no other kind can be made quiet, and the refusal changes nothing",
    arguments: Kind.allCases.filter { $0 != .completion })
  func others(kind: Kind) async throws {
    try await TestService.with(delivers: false) { service in
      let reply = try await Self.declare(
        ["kinds": ["member"], "quiet": ["completion", .string(kind.name)]], in: service)
      #expect(reply.status == 422 && reply.json["code"] == "invalid-field" && reply.json["field"] == "/quiet")
      let stack = try await service.store.stack(service.stack.id)
      #expect(stack?.quiet == [] && stack?.kinds == Kind.allCases)
    }
  }
}
