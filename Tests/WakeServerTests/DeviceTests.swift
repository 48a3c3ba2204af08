import EndpointRegistry
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("A registration's own life: GET, PATCH, DELETE")
struct DeviceTests {
  @Test("the answer has the promised members, and neither endpoint nor keys", arguments: Transport.allCases)
  func shape(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let phone = try await service.phone("/secret-path?up=1")
      await service.settle()
      let reply = try await service.send("GET", service.path(of: phone), token: phone.token)
      #expect(reply.status == 200)
      #expect(
        reply.json.names == [
          "device", "stack", "label", "state", "pushServer", "temporary", "muted", "since", "lastWake",
          "lastReceipt", "gone",
        ])
      #expect(reply.json["state"] == "unconfirmed" && reply.json["lastWake"]?.string != nil)
      let text = String(decoding: reply.body, as: UTF8.self)
      for secret in ["secret-path", phone.companion.auth, phone.token] { #expect(!text.contains(secret)) }
    }
  }

  @Test(
    "what a merge patch does not name stays", arguments: ["application/json", "application/merge-patch+json"])
  func merge(type: String) async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      var reply = try await service.patch(phone, ["label": "pocket"], type: type)
      #expect(reply.status == 200 && reply.json["label"] == "pocket")
      reply = try await service.patch(phone, ["muted": ["backup", "problem"]], type: type)
      #expect(reply.json["label"] == "pocket" && reply.json["muted"] == ["problem", "backup"])
      #expect(reply.json["pushServer"]?.string == service.pushServer.origin)
      reply = try await service.patch(phone, ["label": .null, "muted": .null, "unknown": 1], type: type)
      #expect(reply.json["label"] == .null && reply.json["muted"] == [])
      await service.settle()
      #expect(service.pushServer.messages.count == 1)  // the activation: none of this wakes anybody
    }
  }

  @Test("a new subscription is woken, an unchanged one is not")
  func subscription() async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/one")
      _ = await service.pushServer.wait(for: 1)
      let same: JSONValue = [
        "endpoint": .string("\(service.pushServer.origin)/one"), "keys": phone.companion.keys,
      ]
      #expect(try await service.patch(phone, same).status == 200)
      let moved = same.with("endpoint", .string("\(service.pushServer.origin)/two"))
      #expect(try await service.patch(phone, moved).status == 200)
      await service.settle()
      #expect(service.pushServer.messages.map(\.target) == ["/one", "/two"])
    }
  }

  @Test("new keys alone are used from then on, and the old ones open nothing")
  func keys() async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let renewed = try Companion()
      #expect(try await service.patch(phone, ["keys": renewed.keys]).status == 200)
      let message = try #require(await service.pushServer.wait(for: 2).last)
      #expect(try !renewed.decrypt(message.body).isEmpty)
      #expect(throws: (any Error).self) { try phone.companion.decrypt(message.body) }
    }
  }

  @Test("a new endpoint alone keeps the keys, where there are any")
  func endpointAlone() async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/one")
      _ = await service.pushServer.wait(for: 1)
      let endpoint: JSONValue = .string("\(service.pushServer.origin)/two")
      #expect(try await service.patch(phone, ["endpoint": endpoint]).status == 200)
      let message = try #require(await service.pushServer.wait(for: 2).last)
      #expect(message.target == "/two")
      #expect(try !phone.companion.decrypt(message.body).isEmpty)
      _ = try await service.patch(phone, ["endpoint": .null])
      let reply = try await service.patch(phone, ["endpoint": endpoint])
      #expect(reply.status == 422 && reply.code == "missing-field" && reply.json["field"] == "/keys")
    }
  }

  @Test("a null endpoint ends the subscription, and the device stays")
  func noPush() async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      let reply = try await service.patch(phone, ["endpoint": .null])
      #expect(reply.status == 200 && reply.json["state"] == "no-push" && reply.json["pushServer"] == .null)
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 0)
      let keys = try await service.patch(phone, ["keys": phone.companion.keys])
      #expect(keys.status == 422)
    }
  }

  @Test(
    "a malformed patch changes nothing",
    arguments: [
      (["label": 1, "muted": ["backup"]], "invalid-field", "/label"),
      (["muted": ["backup", "weather"], "label": "x"], "kind-unknown", "/muted/1"),
      (["keys": ["p256dh": "AAAA"], "label": "x"], "missing-field", "/keys/auth"),
      (["keys": .null, "label": "x"], "invalid-field", "/keys"),
      (["endpoint": .null, "keys": ["p256dh": "A", "auth": "A"], "label": "x"], "invalid-field", "/keys"),
      (
        ["endpoint": "http://10.0.0.1/", "keys": ["p256dh": "A", "auth": "A"]], "endpoint-refused",
        "/endpoint"
      ),
      (["temporary": 1, "label": "x"], "invalid-field", "/temporary"),
    ] as [(JSONValue, String, String)])
  func malformed(body: JSONValue, code: String, field: String) async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      let before = try await service.send("GET", service.path(of: phone), token: phone.token).json
      let reply = try await service.patch(phone, body)
      #expect(reply.status == 422 && reply.code == code && reply.json["field"]?.string == field)
      let after = try await service.send("GET", service.path(of: phone), token: phone.token).json
      for name in ["label", "muted", "pushServer", "temporary"] { #expect(after[name] == before[name]) }
    }
  }

  @Test("a muted kind is not nudged, is on record as such, and is read all the same")
  func muted() async throws {
    try await TestService.with { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      _ = try await service.patch(phone, ["muted": ["backup"]])
      #expect(try await service.hook(["kind": "backup"]).json["devices"] == 0)
      await service.settle()
      #expect(service.pushServer.messages.count == 1)
      let attempts = try await service.store.attempts(.init(), before: nil, limit: 10)
      #expect(attempts.map(\.outcome) == [.muted, .accepted])
      let list = try await service.send("GET", "\(service.path)/alerts", token: phone.token)
      #expect(list.json["alerts"]?.array?.count == 1)
    }
  }
}

extension TestService {
  func path(of phone: Phone) -> String { "\(path)/devices/\(phone.device)" }

  func patch(_ phone: Phone, _ body: JSONValue, type: String = "application/merge-patch+json") async throws
    -> Reply
  {
    try await send(
      "PATCH", path(of: phone), token: phone.token, headers: [("Content-Type", type)], body: body.serialized()
    )
  }
}
