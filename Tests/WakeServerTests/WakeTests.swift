import CryptoPrimitives
import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer
import WebPushCrypto

@Suite("The wake")
struct WakeTests {
  @Test("every wake of every kind has the same fields in the same order and the same size")
  func constantShape() async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      for (count, kind) in Kind.allCases.enumerated() {
        let body: JSONValue = [
          "kind": .string(kind.name), "alert": ["n": .string(String(repeating: "n", count: count * 100))],
        ]
        #expect(try await service.hook(body).status == 202)
        // One after the other: a device has few wakes under way at once.
        _ = await service.pushServer.wait(for: count + 2)
      }
      let messages = service.pushServer.messages
      #expect(messages.count == 7)
      let names = messages.map { $0.headers.map(\.name).filter { $0 != "Host" && $0 != "Content-Length" } }
      for line in names {
        #expect(
          line == ["TTL", "Urgency", "Topic", "Content-Encoding", "Content-Type", "Authorization"])
      }
      for name in ["TTL", "Urgency", "Topic", "Content-Encoding", "Content-Type", "Authorization"] {
        #expect(Set(messages.map { $0.header(name) }).count == 1, "\(name)")
      }
      #expect(messages.allSatisfy { $0.body.count == 256 && $0.header("Content-Length") == "256" })
      #expect(Set(messages.map { Array($0.body.prefix(16)) }).count == 7)  // salts
      #expect(Set(messages.map { Array($0.body[21..<86]) }).count == 7)  // ephemeral keys
      var receipts: Set<String> = []
      for message in messages {
        let plaintext = try StrictJSON.parse(phone.companion.decrypt(message.body))
        guard case .object(let object) = plaintext else { Issue.record("no object"); continue }
        #expect(object.names == ["v", "s", "mv", "w"])
        #expect(object["v"] == 1 && object["s"]?.string == service.stack.id.text)
        #expect(object["mv"]?.string == CatalogueVersion(Kind.allCases).text)
        receipts.insert(object["w"]?.string ?? "")
      }
      #expect(receipts.count == 7 && receipts.allSatisfy { $0.count == 22 })
    }
  }

  @Test("the longest stack id leaves the size as it is")
  func longestStack() async throws {
    let id = try #require(StackID(String(repeating: "s", count: 64)))
    let companion = try Companion()
    let payload = WakePayload(stack: id, catalogueVersion: "01234567")
    let receipt = String(repeating: "w", count: 22)
    guard case .string(let p256dh)? = companion.keys["p256dh"] else { throw Failed() }
    let body = try payload.encrypted(
      receipt: receipt, for: UserAgentKeys(p256dh: p256dh, auth: companion.auth))
    #expect(body.count == 256)
    #expect(try companion.decrypt(body) == payload.plaintext(receipt: receipt))
  }

  @Test(
    "the plaintext is the text that the JSON writer gives, whatever the ids",
    arguments: ["-_-_-_-_", "00000000", "AZaz09-_", String(repeating: "s", count: 64)])
  func plaintext(stack: String) throws {
    let id = try #require(StackID(stack))
    let payload = WakePayload(stack: id, catalogueVersion: "0f1e2d3c")
    for receipt in ["", "-", "_9aZ", "w\u{20}v", Base64URL.encode(RandomOctets.system(16))] {
      let tree: JSONValue = [
        "v": 1, "s": .string(stack), "mv": "0f1e2d3c", "w": .string(receipt),
      ]
      #expect(payload.plaintext(receipt: receipt) == tree.serialized())
    }
  }

  struct Failed: Error {}

  @Test("any 2xx is an accepted wake, on record once (B17)", arguments: [200, 201, 202, 204, 299])
  func accepted(status: Int) async throws {
    let attempts = try await outcome(of: status)
    #expect(attempts.map(\.outcome) == [.accepted])
    #expect(attempts.first?.status == status)
  }

  @Test(
    "every other answer is its outcome, is never retried, and leaves the endpoint alone",
    arguments: [
      (301, "redirected"), (307, "redirected"), (400, "rejected"), (401, "refused"), (403, "refused"),
      (405, "rejected"), (413, "oversize"), (429, "throttled"), (500, "server"), (502, "server"),
      (507, "unsubscribed"),
    ])
  func refused(status: Int, outcome: String) async throws {
    let attempts = try await self.outcome(of: status)
    #expect(attempts.map(\.outcome.rawValue) == [outcome])
    #expect(attempts.first?.status == status)
  }

  /// The attempts for one alert to a phone whose push server answers `status`; it is still subscribed afterwards.
  private func outcome(of status: Int) async throws -> [Attempt] {
    var attempts: [Attempt] = []
    try await TestService.with { service in
      let phone = try await service.phone("/up/answer")
      _ = await service.pushServer.wait(for: 1)
      service.pushServer.answer("/up/answer", with: status)
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      await service.settle()
      #expect(service.pushServer.messages.count == 2)
      attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
        .filter { $0.purpose == .alert }
      let device = try await service.send("GET", service.path(of: phone), token: phone.token)
      #expect(device.json["pushServer"]?.string == service.pushServer.origin)
    }
    return attempts
  }

  @Test(
    "404 and 410 erase the endpoint on every stack; the device stays, and comes back", arguments: [404, 410])
  func gone(status: Int) async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/up/dies")
      let bystander = try await service.phone("/up/lives")
      let other = try await service.store.addStack(
        id: nil, label: "other", kinds: Kind.allCases, hookTokenName: "core", at: 0)
      let code = try await service.store.addPairing(
        stack: other.stack.id, at: WallClock.system.now(), expiresAt: .max)
      let elsewhere = try await service.send(
        "POST", "/v1/stacks/\(other.stack.id)/devices", token: code.text,
        json: phone.companion.registration(endpoint: "\(service.pushServer.origin)/up/dies"))
      #expect(elsewhere.status == 201)
      _ = await service.pushServer.wait(for: 3)
      service.pushServer.answer("/up/dies", with: status)
      _ = try await service.hook(["kind": "problem"])
      await service.settle()

      let reply = try await service.send("GET", service.path(of: phone), token: phone.token)
      #expect(reply.status == 200 && reply.json["state"] == "gone" && reply.json["pushServer"] == .null)
      #expect(reply.json["gone"]?["status"] == .integer(Int64(status)))
      #expect(reply.json["gone"]?["pushServer"]?.string == service.pushServer.origin)
      let holders = try await service.store.devices(holding: "\(service.pushServer.origin)/up/dies")
      #expect(holders.isEmpty)
      let alive = try await service.send("GET", service.path(of: bystander), token: bystander.token)
      #expect(alive.json["state"] == "unconfirmed")

      let revived = try await service.patch(
        phone, ["endpoint": .string("\(service.pushServer.origin)/up/new"), "keys": phone.companion.keys])
      #expect(revived.json["state"] == "unconfirmed" && revived.json["gone"] == .null)
    }
  }

  @Test("the request target is what was registered, octet for octet (B15)")
  func targets() async throws {
    let targets = [
      "/upAbC123?up=1", "/w/?token=aa%2fBB%3d%2b~c", "/p;x=1?a=1&a=2", "/%C3%A9/x", "/a/../b", "/?", "/",
      "/" + String(repeating: "l", count: 900),
    ]
    try await TestService.with { service in
      for target in targets { _ = try await service.phone(target) }
      _ = await service.pushServer.wait(for: targets.count)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == .integer(Int64(targets.count)))
      await service.settle()
      #expect(service.pushServer.messages.dropFirst(targets.count).map(\.target).sorted() == targets.sorted())
    }
  }

  @Test("a storm for a phone behind a silent push server delays no other stack's phone")
  func isolation() async throws {
    let silent = try RawServer { _ in .silence }
    defer { silent.stop() }
    let origin = "http://127.0.0.1:\(silent.port)"
    try await TestService.with(alsoAllows: origin) { service in
      let deaf = try Companion()
      #expect(try await service.register(deaf.registration(endpoint: "\(origin)/up")).status == 201)
      for _ in 0..<600 { #expect(try await service.hook(["kind": "problem"]).status == 202) }
      let other = try await service.store.addStack(
        id: nil, label: "other", kinds: Kind.allCases, hookTokenName: "core", at: 0)
      let code = try await service.store.addPairing(
        stack: other.stack.id, at: WallClock.system.now(), expiresAt: .max)
      let healthy = try Companion()
      let reply = try await service.send(
        "POST", "/v1/stacks/\(other.stack.id)/devices", token: code.text,
        json: healthy.registration(endpoint: "\(service.pushServer.origin)/up"))
      #expect(reply.status == 201)
      #expect(await service.pushServer.wait(for: 1, patience: .seconds(60)).count == 1)
      // The storm is accounted for: what did not go out is on record as such.
      try await service.eventually {
        let attempts = try await service.store.attempts(
          AttemptFilter(stack: service.stack.id), before: nil, limit: 1_000
        ).filter { $0.purpose == .alert }
        // Newest first. A slow machine may see the silent request end, and one wake more begin.
        let waited = attempts.contains { $0.outcome == .coalesced }
        return waited && attempts.count < 10 && attempts.first?.alertLast?.number == 600
          && attempts.last?.alertFirst?.number == 1
      }
    }
  }

  @Test("the operator's test wake tells what the push server said")
  func testWake() async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/up/test")
      _ = await service.pushServer.wait(for: 1)
      let path = "/v1/admin/devices/\(phone.device)/test"
      let good = try await service.send("POST", path, json: [:], door: .admin)
      #expect(good.status == 200 && good.json["outcome"] == "accepted" && good.json["purpose"] == "test")
      service.pushServer.answer("/up/test", with: 507)
      let bad = try await service.send("POST", path, json: [:], door: .admin)
      #expect(bad.json["outcome"] == "unsubscribed" && bad.json["status"] == 507)
      #expect(!String(decoding: bad.body, as: UTF8.self).contains("/up/test"))
    }
  }

  @Test("a fan-out over several pages wakes every device once, one row each")
  func fanOut() async throws {
    try await TestService.with { service in
      for index in 0..<300 { _ = try await service.phone("/up/\(index)") }
      _ = await service.pushServer.wait(for: 300, patience: .seconds(60))
      let reply = try await service.hook(["kind": "problem"])
      #expect(reply.json["devices"] == 300)
      _ = await service.pushServer.wait(for: 600, patience: .seconds(60))
      await service.settle()
      let targets = service.pushServer.messages.dropFirst(300).map(\.target)
      #expect(targets.count == 300 && Set(targets).count == 300)
      let attempts = try await service.store.attempts(
        AttemptFilter(outcome: .accepted), before: nil, limit: 1_000)
      #expect(attempts.filter { $0.purpose == .alert }.count == 300)
    }
  }
}
