import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("A pairing code: one client, once, for a while")
struct PairingTests {
  @Test("a code that was photographed lets no second client in, and changes nothing")
  func photographed() async throws {
    try await TestService.with { service in
      let code = try await service.pairingCode()
      let (mine, thief) = (try Companion(), try Companion())
      let path = "\(service.path)/devices"
      let endpoint = "\(service.pushServer.origin)/mine"
      let reply = try await service.send(
        "POST", path, token: code, json: mine.registration(endpoint: endpoint).with("label", "mine"))
      let phone = try service.phone(mine, reply)
      #expect(reply.status == 201)
      #expect(await service.pushServer.wait(for: 1).count == 1)
      let before = try await service.state(of: phone)

      // With an endpoint of its own, with the victim's, and with nothing but a name.
      for body in [
        thief.registration(endpoint: "\(service.pushServer.origin)/thief"),
        thief.registration(endpoint: endpoint).with("label", "thief"),
        ["client": .string(thief.client), "label": "thief"],
      ] {
        let refused = try await service.send("POST", path, token: code, json: body)
        #expect(refused.status == 403 && refused.code == "pairing-used")
        #expect(refused.json["device"] == nil && refused.json["token"] == nil)
      }
      let after = try await service.state(of: phone)
      // When its activation wake was answered is another matter, and may only now be on record.
      for name in before.names where name != "lastWake" { #expect(after[name] == before[name], "\(name)") }
      #expect(try await service.deviceCount() == 1)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
      await service.settle()
      #expect(service.pushServer.messages.map(\.target) == ["/mine", "/mine"])
      for message in service.pushServer.messages { #expect(try !mine.decrypt(message.body).isEmpty) }
    }
  }

  @Test(
    "the repeat after a lost answer gives the same device, wakes it once, and a newer token ends the older")
  func lostAnswer() async throws {
    try await TestService.with { service in
      let code = try await service.pairingCode()
      let companion = try Companion()
      let body = companion.registration(endpoint: "\(service.pushServer.origin)/up").with("label", "phone")
      let replies = try await (0..<3).asyncMap { _ in
        try await service.send("POST", "\(service.path)/devices", token: code, json: body)
      }
      #expect(replies.map(\.status) == [201, 200, 200])
      let phones = try replies.map { try service.phone(companion, $0) }
      #expect(Set(phones.map(\.device)).count == 1 && Set(phones.map(\.token)).count == 3)
      // Until a newer token is used all are good: which of the answers arrived is not known.
      let statuses = try await [0, 1, 0, 2, 1, 2].asyncMap { index in
        try await service.send("GET", service.path(of: phones[index]), token: phones[index].token).status
      }
      #expect(statuses == [200, 200, 401, 200, 401, 200])
      await service.settle()
      #expect(service.pushServer.messages.count == 1)
    }
  }

  @Test("a code ends at its expiry to the millisecond, for the repeat too; what was registered stays")
  func expiry() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, delivers: false) { service in
      let end = clock.now + 900_000
      let (used, unused) = (
        try await service.store.addPairing(stack: service.stack.id, at: clock.now, expiresAt: end),
        try await service.store.addPairing(stack: service.stack.id, at: clock.now, expiresAt: end)
      )
      let companion = try Companion()
      let body: JSONValue = ["client": .string(companion.client)]
      let register = { (code: Token) in
        try await service.send("POST", "\(service.path)/devices", token: code.text, json: body)
      }
      clock.now = end - 1
      let first = try await register(used)
      let again = try await register(used)
      #expect(first.status == 201 && again.status == 200)
      clock.now = end
      for code in [used, unused] {
        let refused = try await register(code)
        #expect(refused.status == 403 && refused.code == "pairing-expired")
        let read = try await service.send("GET", service.path, token: code.text)
        #expect(read.status == 403 && read.code == "pairing-expired")
      }
      #expect(try await service.state(of: service.phone(companion, again))["state"] == "no-push")
      #expect(try await service.deviceCount() == 1)
    }
  }

  @Test("a code ends with the device that it made, whoever removed that", arguments: [true, false])
  func afterRevocation(byItself: Bool) async throws {
    try await TestService.with { service in
      let code = try await service.pairingCode()
      let companion = try Companion()
      let body: JSONValue = ["client": .string(companion.client)]
      let path = "\(service.path)/devices"
      let phone = try service.phone(
        companion, try await service.send("POST", path, token: code, json: body))
      let removed =
        byItself
        ? try await service.send("DELETE", service.path(of: phone), token: phone.token)
        : try await service.send("DELETE", "/v1/admin/devices/\(phone.device)", door: .admin)
      #expect(removed.status == 204)
      for client in [companion.client, try Companion().client] {
        let refused = try await service.send("POST", path, token: code, json: ["client": .string(client)])
        #expect(refused.status == 403 && refused.code == "pairing-used")
      }
      #expect(try await service.deviceCount() == 0)
      // The companion itself is not shut out: a new code lets it in again.
      #expect(try await service.register(body).status == 201)
    }
  }

  @Test(
    "a code of one stack is nothing on another: 404 as for a stack that does not exist, and it stays good")
  func otherStack() async throws {
    try await TestService.with { service in
      let other = try await service.anotherStack().stack
      let code = try await service.pairingCode()
      let body: JSONValue = ["client": .string(try Companion().client)]
      for stack in [other.id.text, "nobody-here"] {
        for method in ["GET", "POST"] {
          let path = "/v1/stacks/\(stack)" + (method == "POST" ? "/devices" : "")
          let reply = try await service.send(method, path, token: code, json: body)
          #expect(reply.status == 404 && reply.code == "not-found")
        }
      }
      #expect(try await service.deviceCount() == 0)
      #expect(
        try await service.send("POST", "\(service.path)/devices", token: code, json: body).status == 201)
    }
  }

  @Test("of several clients that race with one code exactly one wins, and there is one row", arguments: 2...6)
  func race(clients: Int) async throws {
    try await TestService.with { service in
      for round in 1...10 {
        let code = try await service.pairingCode()
        let replies = try await withThrowingTaskGroup(of: (Companion, Reply).self) { group in
          for _ in 0..<clients {
            let companion = try Companion()
            let body = companion.registration(endpoint: "\(service.pushServer.origin)/\(companion.client)")
            group.addTask {
              (
                companion,
                try await service.send("POST", "\(service.path)/devices", token: code, json: body)
              )
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let winners = replies.filter { $0.1.status == 201 }
        #expect(winners.count == 1)
        #expect(replies.filter { $0.1.status == 403 && $0.1.code == "pairing-used" }.count == clients - 1)
        #expect(try await service.deviceCount() == round)
        let (companion, reply) = try #require(winners.first)
        #expect(try await service.state(of: service.phone(companion, reply))["state"] == "unconfirmed")
      }
    }
  }

  @Test("30 registrations at once of one client and endpoint: all succeed, and one row has one of them whole")
  func parallel() async throws {
    try await TestService.with { service in
      let client = try Companion().client
      let endpoint = "\(service.pushServer.origin)/up"
      let companions = try (0..<30).map { _ in try Companion() }
      let codes = try await companions.asyncMap { _ in try await service.pairingCode() }
      let replies = try await withThrowingTaskGroup(of: (String, Reply).self) { group in
        for (number, (companion, code)) in zip(companions, codes).enumerated() {
          let body = companion.registration(endpoint: endpoint).with("client", .string(client))
            .with("label", .string("\(number)"))
          group.addTask {
            (code, try await service.send("POST", "\(service.path)/devices", token: code, json: body))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(replies.map(\.1.status).sorted() == Array(repeating: 200, count: 29) + [201])
      let devices = try await service.store.devices(stack: nil, after: nil, limit: 10)
      let device = try #require(devices.first)
      #expect(devices.count == 1 && Set(replies.map { $0.1.json["device"]?.string }) == [device.id.text])

      // When the activation wakes are through, the next wake is for the keys that won.
      await service.settle()
      try await service.eventually {
        let path = "/v1/admin/devices/\(device.id)/test"
        return try await service.send("POST", path, json: [:], door: .admin).json["outcome"] == "accepted"
      }
      let message = try #require(service.pushServer.messages.last)
      let readers = companions.indices.filter { (try? companions[$0].decrypt(message.body)) != nil }
      #expect(readers.map { "\($0)" } == [device.label])
    }
  }
}

extension Sequence {
  /// One after the other.
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
