import Dispatch
import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("A subscription: one row, replaced, stood in for, dead and alive again")
struct SubscriptionTests {
  @Test(
    "an endpoint of any length up to 1,000 octets is kept and sent byte for byte (B04)",
    arguments: Transport.allCases)
  func longEndpoints(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let origin = service.pushServer.origin
      let targets = [255, 256, 512, 1_000].map { octets in
        // What a careless store or client would change or cut, and an end that shows it.
        let start = "/up%2F\(octets)?token=%7e+/"
        return start + String(repeating: "x", count: octets - origin.utf8.count - start.utf8.count - 4)
          + "%3De"
      }
      for (target, octets) in zip(targets, [255, 256, 512, 1_000]) {
        #expect((origin + target).utf8.count == octets)
        _ = try await service.phone(target)
      }
      #expect(await service.pushServer.wait(for: 4).map(\.target).sorted() == targets.sorted())
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 4)
      await service.settle()
      #expect(service.pushServer.messages.dropFirst(4).map(\.target).sorted() == targets.sorted())
    }
  }

  @Test(
    "a longer endpoint is refused, and nothing of it is kept (B04)", arguments: Transport.allCases,
    [(1_001, 422, "endpoint-refused"), (60_000, 422, "endpoint-refused"), (100_000, 413, "too-large")])
  func tooLongEndpoints(transport: Transport, refusal: (octets: Int, status: Int, code: String)) async throws
  {
    try await TestService.with(transport) { service in
      let start = "\(service.pushServer.origin)/up?token="
      let endpoint = start + String(repeating: "x", count: refusal.octets - start.utf8.count)
      let phone = try await service.phone("/before")
      let body = try Companion().registration(endpoint: endpoint)
      for reply in [
        try await service.register(body), try await service.patch(phone, ["endpoint": .string(endpoint)]),
      ] {
        #expect(reply.status == refusal.status && reply.code == refusal.code)
      }
      #expect(try await service.deviceCount() == 1)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      #expect(Set(service.pushServer.messages.map(\.target)) == ["/before"])
    }
  }

  @Test(
    "an endpoint that comes again with fresh keys is one row and one wake, for these keys (B05)",
    arguments: [true, false])
  func freshKeys(sameClient: Bool) async throws {
    try await TestService.with { service in
      let (first, second) = (try Companion(), try Companion())
      let endpoint = "\(service.pushServer.origin)/up"
      #expect(try await service.register(first.registration(endpoint: endpoint)).status == 201)
      _ = await service.pushServer.wait(for: 1)
      var body = second.registration(endpoint: endpoint)
      if sameClient { body = body.with("client", .string(first.client)) }
      #expect(try await service.register(body).status == 200)
      #expect(try await service.deviceCount() == 1)
      _ = await service.pushServer.wait(for: 2)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      #expect(service.pushServer.messages.count == 3)  // an activation for each, and one wake
      let message = try #require(service.pushServer.messages.last)
      #expect(try !second.decrypt(message.body).isEmpty)
      #expect(throws: (any Error).self) { try first.decrypt(message.body) }
    }
  }

  @Test("one endpoint on two stacks is two rows, and an alert of one stack is one request")
  func twoStacks() async throws {
    try await TestService.with { service in
      let other = try await service.anotherStack()
      let companion = try Companion()
      let body = companion.registration(endpoint: "\(service.pushServer.origin)/up")
      #expect(try await service.register(body).status == 201)
      #expect(try await service.register(body, with: other.stack.id).status == 201)
      #expect(try await service.deviceCount() == 2)
      _ = await service.pushServer.wait(for: 2)
      let raised = try await service.send(
        "POST", "/v1/stacks/\(other.stack.id)/alerts", token: other.hookToken.text, json: ["kind": "problem"])
      #expect(raised.json["devices"] == 1)
      await service.settle()
      #expect(service.pushServer.messages.count == 3)
      let message = try #require(service.pushServer.messages.last)
      let plaintext = try StrictJSON.parse(companion.decrypt(message.body))
      #expect(plaintext["s"]?.string == other.stack.id.text)
      // Why a companion takes an endpoint for each stack: one that waits is replaced by any other (RFC 8030 §5.4).
      #expect(Set(service.pushServer.messages.map { $0.header("Topic") }).count == 1)
    }
  }

  @Test("a stand-in is woken in the primary's place, until a primary comes")
  func standIn() async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/primary")
      _ = await service.pushServer.wait(for: 1)
      let (fallback, renewed) = (try Companion(), try Companion())
      let reply = try await service.patch(phone, service.subscription("/stand-in", fallback, temporary: true))
      #expect(reply.json["temporary"] == true && reply.json["state"] == "unconfirmed")
      _ = await service.pushServer.wait(for: 2)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      let woken = try #require(await service.pushServer.wait(for: 3).last)
      #expect(try !fallback.decrypt(woken.body).isEmpty)

      let back = try await service.patch(phone, service.subscription("/primary/2", renewed))
      #expect(back.json["temporary"] == false)
      _ = await service.pushServer.wait(for: 4)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      #expect(
        service.pushServer.messages.map(\.target) == [
          "/primary", "/stand-in", "/stand-in", "/primary/2", "/primary/2",
        ])
    }
  }

  @Test("a registration may begin with a stand-in, and goes over to the primary")
  func standInFirst() async throws {
    try await TestService.with { service in
      let companion = try Companion()
      let body = companion.registration(endpoint: "\(service.pushServer.origin)/stand-in").with(
        "temporary", true)
      let reply = try await service.register(body)
      #expect(reply.status == 201 && reply.json["temporary"] == true)
      let phone = try service.phone(companion, reply)
      _ = await service.pushServer.wait(for: 1)
      let primary = try await service.patch(phone, service.subscription("/primary", companion))
      #expect(primary.json["temporary"] == false)
      await service.settle()
      #expect(service.pushServer.messages.map(\.target) == ["/stand-in", "/primary"])
    }
  }

  @Test("a stand-in that dies leaves the primary, which is woken again", arguments: [404, 410])
  func standInDies(status: Int) async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/primary")
      _ = await service.pushServer.wait(for: 1)
      _ = try await service.patch(phone, service.subscription("/stand-in", try Companion(), temporary: true))
      _ = await service.pushServer.wait(for: 2)
      service.pushServer.answer("/stand-in", with: status)
      _ = try await service.hook(["kind": "problem"])
      try await service.eventually { try await service.state(of: phone)["temporary"] == false }
      let state = try await service.state(of: phone)
      #expect(state["gone"] == .null && state["pushServer"]?.string == service.pushServer.origin)
      #expect(state["state"] != "gone" && state["state"] != "no-push")
      let before = service.pushServer.messages.count
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      let after = service.pushServer.messages.dropFirst(before)
      #expect(after.map(\.target) == ["/primary"])
      for message in after { #expect(try !phone.companion.decrypt(message.body).isEmpty) }
    }
  }

  @Test(
    "a subscription that died is told, alerts are read all the same, and a new one brings it back",
    arguments: [404, 410])
  func deathAndReturn(status: Int) async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/dies")
      _ = try await service.patch(phone, ["label": "pocket", "muted": ["member"]])
      _ = await service.pushServer.wait(for: 1)
      service.pushServer.answer("/dies", with: status)
      let first = try await service.hook(["kind": "problem"])
      try await service.eventually { try await service.state(of: phone)["state"] == "gone" }
      let dead = try await service.state(of: phone)
      #expect(dead["gone"]?["status"] == .integer(Int64(status)))
      #expect(dead["gone"]?["pushServer"]?.string == service.pushServer.origin)
      #expect(dead["gone"]?["at"]?.string?.hasSuffix("Z") == true)
      #expect(dead["pushServer"] == .null && dead["label"] == "pocket" && dead["muted"] == ["member"])

      let second = try await service.hook(["kind": "backup"])
      #expect(second.status == 202 && second.json["devices"] == 0)
      let list = try await service.send("GET", "\(service.path)/alerts", token: phone.token)
      #expect(list.json["alerts"]?.array?.map { $0["id"] } == [first.json["id"], second.json["id"]])

      let renewed = try Companion()
      let alive = try await service.patch(phone, service.subscription("/lives", renewed))
      #expect(alive.status == 200 && alive.json["state"] == "unconfirmed" && alive.json["gone"] == .null)
      #expect(alive.json["label"] == "pocket" && alive.json["muted"] == ["member"])
      let activation = try #require(await service.pushServer.wait(for: 3).last)
      #expect(activation.target == "/lives")
      #expect(try !renewed.decrypt(activation.body).isEmpty)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      #expect(service.pushServer.messages.map(\.target) == ["/dies", "/dies", "/lives", "/lives"])
    }
  }

  @Test("a 410 that comes after the registration changed leaves the new one alone")
  func late() async throws {
    let (asked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let slow = try RawServer { request in
      guard request.target == "/slow" else { return .status(201) }
      asked.signal()
      release.wait()
      return .status(410)
    }
    defer { slow.stop() }
    let origin = "http://127.0.0.1:\(slow.port)"
    try await TestService.with(alsoAllows: origin) { service in
      let phone = try await service.phone("/before")
      _ = await service.pushServer.wait(for: 1)
      let old: JSONValue = ["endpoint": .string("\(origin)/slow"), "keys": phone.companion.keys]
      // Two activation wakes are under way, for the old keys and for new ones at the same endpoint.
      #expect(try await service.patch(phone, old).status == 200)
      try await onOwnThread { asked.wait() }
      let renewed = try Companion()
      #expect(try await service.patch(phone, ["keys": renewed.keys]).status == 200)
      try await onOwnThread { asked.wait() }
      let moved = try await service.patch(phone, service.subscription("/new", renewed))
      #expect(moved.json["state"] == "unconfirmed")
      release.signal()
      release.signal()
      await service.settle()
      let state = try await service.state(of: phone)
      #expect(state["state"] == "unconfirmed" && state["gone"] == .null)
      #expect(state["pushServer"]?.string == service.pushServer.origin)
      let attempts = try await service.store.attempts(AttemptFilter(outcome: .gone), before: nil, limit: 10)
      #expect(attempts.count == 2)
      #expect(service.pushServer.messages.map(\.target) == ["/before", "/new"])
    }
  }
}

extension TestService {
  /// The body of a PATCH that gives a whole subscription.
  func subscription(_ target: String, _ companion: Companion, temporary: Bool = false) -> JSONValue {
    let body: JSONValue = ["endpoint": .string(pushServer.origin + target), "keys": companion.keys]
    return temporary ? body.with("temporary", true) : body
  }
}
