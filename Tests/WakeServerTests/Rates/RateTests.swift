import EndpointRegistry
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("What one token may ask for")
struct RateTests {
  /// Small numbers, so that a test makes few requests.
  private static var few: Rates {
    var rates = Rates()
    (rates.hook, rates.changes, rates.tests) = (.perSecond(3), .perMinute(3), .perMinute(2))
    return rates
  }

  private static func with(
    _ transport: Transport = .call, _ rates: Rates = few, window: Int = 0, delivers: Bool = false,
    body: (TestService, TestClock) async throws -> Void
  ) async throws {
    let clock = TestClock()
    try await TestService.with(
      transport, clock: clock.wall, steady: clock.steady, window: window, delivers: delivers, rates: rates
    ) { try await body($0, clock) }
  }

  private static func expectRefusal(
    _ reply: Reply, after seconds: Int, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(reply.status == 429 && reply.code == "rate-limited", sourceLocation: sourceLocation)
    #expect(reply.header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
    #expect(reply.header("Retry-After") == "\(seconds)", sourceLocation: sourceLocation)
    #expect(
      reply.json["detail"]?.string?.contains(words) == true, "\(reply.json)", sourceLocation: sourceLocation)
  }

  @Test(
    "a hook token beyond its rate is refused, keeps nothing, and is let in when it was told",
    arguments: Transport.allCases)
  func hook(transport: Transport) async throws {
    try await Self.with(transport) { service, clock in
      for _ in 0..<3 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      let refused = try await service.hook(["kind": "problem"])
      Self.expectRefusal(refused, after: 1, "3 times a second")
      // It is refused before its body is looked at.
      let malformed = try await service.send(
        "POST", "\(service.path)/alerts", token: service.hookToken.text, body: Array("{".utf8))
      #expect(malformed.status == 429)
      #expect(try await service.store.alerts(of: service.stack.id, after: nil, limit: 200).alerts.count == 3)
      clock.pass(1_000)
      for _ in 0..<3 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      #expect(try await service.hook(["kind": "problem"]).status == 429)
      #expect(try await service.store.alerts(of: service.stack.id, after: nil, limit: 200).alerts.count == 6)
    }
  }

  @Test("another token of the same stack, another stack, and what a refused token reads are not held")
  func others() async throws {
    try await Self.with { service, clock in
      let second = try await service.store.addHookToken("second", to: service.stack.id, at: clock.now)
      let other = try await service.anotherStack()
      for _ in 0..<3 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      #expect(try await service.hook(["kind": "problem"]).status == 429)
      let kinds: JSONValue = ["kinds": ["problem"]]
      let declared = try await service.send(
        "PUT", "\(service.path)/kinds", token: service.hookToken.text, json: kinds)
      #expect(declared.status == 429)
      for (token, stack) in [(second, service.stack.id), (other.hookToken, other.stack.id)] {
        let reply = try await service.send(
          "POST", "/v1/stacks/\(stack)/alerts", token: token.text, json: ["kind": "problem"])
        #expect(reply.status == 202)
      }
      for path in ["", "/alerts", "/delivery"] {
        let reply = try await service.send("GET", service.path + path, token: service.hookToken.text)
        #expect(reply.status == 200, "\(path)")
      }
    }
  }

  @Test("a registration is changed so often a minute, by PATCH and DELETE together, whichever token is shown")
  func changes() async throws {
    try await Self.with { service, clock in
      let (phone, other) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      let path = service.path(of: phone)
      func patch(_ label: String, _ phone: Phone) async throws -> Reply {
        try await service.send(
          "PATCH", service.path(of: phone), token: phone.token, json: ["label": .string(label)])
      }
      for label in ["a", "b", "c"] { #expect(try await patch(label, phone).status == 200) }
      Self.expectRefusal(try await patch("d", phone), after: 20, "3 times a minute")
      Self.expectRefusal(
        try await service.send("DELETE", path, token: phone.token), after: 20, "3 times a minute")
      #expect(try await service.state(of: phone)["label"]?.string == "c")
      #expect(try await patch("e", other).status == 200)
      // The same phone pairs anew: another token, the same device.
      let again = try await service.register(
        phone.companion.registration(endpoint: service.pushServer.origin + phone.target))
      #expect(again.status == 200)
      let renewed = try service.phone(phone.companion, again)
      #expect(renewed.device == phone.device && renewed.token != phone.token)
      #expect(try await patch("f", renewed).status == 429)
      clock.pass(19_999)
      #expect(try await patch("g", renewed).header("Retry-After") == "1")
      clock.pass(1)
      #expect(try await patch("h", renewed).status == 200)
      clock.pass(20_000)
      #expect(try await service.send("DELETE", path, token: renewed.token).status == 204)
    }
  }

  @Test("a pairing code is held by itself, and what is refused registers nobody")
  func pairing() async throws {
    try await Self.with { service, _ in
      let codes = [try await service.pairingCode(), try await service.pairingCode()]
      let companion = try Companion()
      func register(_ code: String, _ companion: Companion) async throws -> Reply {
        try await service.send(
          "POST", "\(service.path)/devices", token: code, json: ["client": .string(companion.client)])
      }
      // Three that are at fault: each is counted, whatever comes of it.
      for _ in 0..<3 {
        let reply = try await service.send("POST", "\(service.path)/devices", token: codes[0], json: [:])
        #expect(reply.status == 422)
      }
      Self.expectRefusal(try await register(codes[0], companion), after: 20, "3 times a minute")
      let none = try await service.store.devices(stack: service.stack.id, after: nil, limit: 10)
      #expect(none.isEmpty)
      #expect(try await register(codes[1], companion).status == 201)
      #expect(try await service.send("GET", service.path, token: codes[0]).status == 200)
    }
  }

  @Test("test wakes are held for each device, and those that are refused are not sent")
  func tests() async throws {
    try await Self.with(delivers: true) { service, clock in
      let (phone, other) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      func test(_ phone: Phone) async throws -> Reply {
        try await service.send("POST", "\(service.path(of: phone))/test", token: phone.token)
      }
      // One after the other: two that wait at once are one wake.
      _ = await service.pushServer.wait(for: 2)
      for sent in 3...4 {
        #expect(try await test(phone).status == 202)
        _ = await service.pushServer.wait(for: sent)
      }
      for _ in 0..<20 { Self.expectRefusal(try await test(phone), after: 30, "2 times a minute") }
      #expect(try await test(other).status == 202)
      clock.pass(30_000)
      #expect(try await test(phone).status == 202)
      #expect(try await test(phone).status == 429)
      await service.settle()
      // An activation wake each, and the tests.
      #expect(service.pushServer.messages.count { $0.target.hasSuffix("/a") } == 1 + 3)
      #expect(service.pushServer.messages.count { $0.target.hasSuffix("/b") } == 1 + 1)
    }
  }

  @Test("the operator is not held, on either admin listener")
  func operators() async throws {
    try await Self.with { service, clock in
      let token = try await service.store.addAdminToken("laptop", at: clock.now).text
      for _ in 0..<10 {
        for (door, token) in [(Door.admin, nil), (.adminByToken, token)] as [(Door, String?)] {
          let reply = try await service.send(
            "POST", "/v1/admin/stacks/\(service.stack.id)/alerts", token: token, json: ["kind": "problem"],
            door: door)
          #expect(reply.status == 202)
        }
      }
    }
  }

  @Test("the numbers of the contract hold where nobody says otherwise: 5,000 a second, 60 and 6 a minute")
  func usual() async throws {
    try await Self.with(.call, Rates()) { service, clock in
      let phone = try await service.phone()
      let path = service.path(of: phone)
      // A body that is none: what is counted is the request, and a transaction for each would take long.
      for _ in 0..<5_000 {
        let reply = try await service.send("POST", "\(service.path)/alerts", token: service.hookToken.text)
        guard reply.status == 415 else { throw Unexpected(reply: reply) }
      }
      Self.expectRefusal(try await service.hook(["kind": "problem"]), after: 1, "5000 times a second")
      for _ in 0..<60 { #expect(try await service.send("PATCH", path, token: phone.token).status == 415) }
      let change = try await service.send("PATCH", path, token: phone.token, json: ["label": "x"])
      Self.expectRefusal(change, after: 1, "60 times a minute")
      for _ in 0..<6 {
        #expect(try await service.send("POST", "\(path)/test", token: phone.token).status == 202)
      }
      let test = try await service.send("POST", "\(path)/test", token: phone.token)
      Self.expectRefusal(test, after: 10, "6 times a minute")
      // One alert has come back after a millisecond, and five of them.
      clock.pass(1)
      for _ in 0..<5 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      #expect(try await service.hook(["kind": "problem"]).status == 429)
    }
  }

  @Test("`off` holds nobody")
  func off() async throws {
    var rates = Rates()
    (rates.hook, rates.changes, rates.tests) = (nil, nil, nil)
    try await Self.with(.call, rates) { service, _ in
      let phone = try await service.phone()
      for _ in 0..<70 {
        let reply = try await service.send("PATCH", service.path(of: phone), token: phone.token)
        #expect(reply.status == 415)
      }
      for _ in 0..<10 {
        let reply = try await service.send("POST", "\(service.path(of: phone))/test", token: phone.token)
        #expect(reply.status == 202)
      }
    }
  }

  @Test(
    "a jump of the clock lets nobody in early, and nobody wait",
    arguments: [-86_400_000, 315_360_000_000] as [Int64])
  func jump(milliseconds: Int64) async throws {
    try await Self.with { service, clock async throws in
      for _ in 0..<3 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      clock.now += milliseconds
      #expect(try await service.hook(["kind": "problem"]).header("Retry-After") == "1")
      clock.pass(334)
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      #expect(try await service.hook(["kind": "problem"]).status == 429)
    }
  }

  @Test(
    "rates and the window do not disturb each other: what was taken is woken for once, what was refused never"
  )
  func window() async throws {
    try await Self.with(window: 30, delivers: true) { service, clock in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      for _ in 0..<3 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      for _ in 0..<5 { #expect(try await service.hook(["kind": "problem"]).status == 429) }
      _ = await service.pushServer.wait(for: 2)
      // The window is not over, and the rate is: this one waits for the window's end.
      clock.pass(1_000)
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      try await service.eventually { clock.sleepers > 0 }
      #expect(service.pushServer.messages.count == 2)
      clock.pass(31_000)
      #expect(await service.pushServer.wait(for: 3).count == 3)
      // A test wake stands outside the window and has a rate of its own. It comes behind all that was to be sent before.
      let test = try await service.send("POST", "\(service.path(of: phone))/test", token: phone.token)
      #expect(test.status == 202)
      #expect(await service.pushServer.wait(for: 4).count == 4)
      let page = try await service.send("GET", "\(service.path)/alerts", token: phone.token)
      guard case .array(let alerts)? = page.json["alerts"] else { throw Unexpected(reply: page) }
      #expect(alerts.count == 4)
    }
  }

  @Test("those that are refused are counted by their code")
  func counted() async throws {
    try await Self.with { service, _ in
      for _ in 0..<5 { _ = try await service.hook(["kind": "problem"]) }
      let page = try ExpositionText(await service.metricsText())
      #expect(page["wake_http_problems_total{code=\"rate-limited\"}"] == 2)
    }
  }
}
