import CryptoPrimitives
import EndpointRegistry
import Foundation
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Registration with a pairing token")
struct RegistrationTests {
  @Test("a phone registers, is told its state, and gets one activation wake", arguments: Transport.allCases)
  func registers(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let companion = try Companion()
      let reply = try await service.register(
        companion.registration(endpoint: "\(service.pushServer.origin)/up?token=1"))
      #expect(reply.status == 201)
      let device = try #require(reply.json["device"]?.string)
      #expect(reply.header("Location") == "\(service.path)/devices/\(device)")
      #expect(reply.json["token"]?.string?.hasPrefix("wkd_") == true)
      #expect(reply.json["state"] == "unconfirmed")
      #expect(reply.json["cursor"]?.string?.hasSuffix("-0") == true)
      #expect(reply.json["pushServer"]?.string == service.pushServer.origin)
      let text = String(decoding: reply.body, as: UTF8.self)
      #expect(!text.contains("token=1") && !text.contains(companion.auth))
      let message = try #require(await service.pushServer.wait(for: 1).first)
      #expect(message.target == "/up?token=1")
      #expect(
        try companion.decrypt(message.body).starts(with: Array("{\"v\":1,\"s\":\"\(service.stack.id)\"".utf8))
      )
    }
  }

  @Test("the four spellings of one key are one row, and each is woken (B01)")
  func spellings() async throws {
    try await TestService.with { service in
      let companion = try Companion.withBothSpecialCharacters()
      let endpoint = "\(service.pushServer.origin)/up"
      for (count, spelling) in Spelling.allCases.enumerated() {
        var body = companion.registration(endpoint: endpoint)
        body = body.with("keys", spelling.keys(of: companion))
        let reply = try await service.register(body)
        #expect(reply.status == (count == 0 ? 201 : 200), "\(spelling)")
        #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
        _ = await service.pushServer.wait(for: 2 + count)
      }
      #expect(try await service.store.devices(stack: nil, after: nil, limit: 10).count == 1)
      let messages = service.pushServer.messages
      #expect(messages.count == 1 + Spelling.allCases.count)  // the activation, and one alert each
      for message in messages { #expect(try companion.decrypt(message.body).count > 0) }
    }
  }

  @Test("every line of the table of keys is judged at registration, and what is refused leaves nothing")
  func keyTable() async throws {
    struct Table: Decodable {
      struct Case: Decodable {
        let field: String
        let value: String
        let expect: String
        let why: String
      }
      let cases: [Case]
    }
    let table = try JSONDecoder().decode(
      Table.self, from: Fixtures.data("subscription-keys/subscription_keys.json"))
    #expect(table.cases.count >= 22)
    try await TestService.with { service in
      for line in table.cases {
        let companion = try Companion()
        let keys = companion.keys.with(line.field, .string(line.value))
        let body = companion.registration(endpoint: "\(service.pushServer.origin)/\(companion.client)")
          .with("keys", keys)
        let before = try await service.deviceCount()
        let reply = try await service.register(body)
        if line.expect == "accept" {
          #expect(reply.status == 201, "\(line.why)")
        } else {
          #expect(reply.status == 422 && reply.code == "invalid-field", "\(line.why)")
          #expect(reply.json["field"]?.string == "/keys/\(line.field)", "\(line.why)")
          #expect(try await service.deviceCount() == before, "\(line.why)")
        }
      }
    }
  }

  @Test(
    "a malformed registration is refused by its code and field, and leaves nothing (B02)",
    arguments: MalformedRegistration.all)
  func malformed(line: MalformedRegistration) async throws {
    try await TestService.with { service in
      let companion = try Companion()
      let body = line.change(companion.registration(endpoint: "\(service.pushServer.origin)/up"))
      let reply = try await service.register(body)
      #expect(reply.status == 422)
      #expect(reply.code == line.code)
      #expect(reply.json["field"]?.string == line.field)
      #expect(reply.json["detail"]?.string?.isEmpty == false)
      #expect(try await service.deviceCount() == 0)
      await service.settle()
      #expect(service.pushServer.messages.isEmpty)
    }
  }

  @Test("further members of a browser's PushSubscription are passed over (B02)")
  func expirationTime() async throws {
    try await TestService.with { service in
      let companion = try Companion()
      let body = companion.registration(endpoint: "\(service.pushServer.origin)/up")
        .with("expirationTime", .null).with("options", ["userVisibleOnly": true])
      #expect(try await service.register(body).status == 201)
    }
  }

  @Test("every endpoint that its text alone forbids is refused, the others are taken")
  func endpointTable() async throws {
    struct Table: Decodable {
      struct Row: Decodable {
        let id: String
        let url: String
        let expect: String
        let stage: String
      }
      let urls: [Row]
    }
    let table = try JSONDecoder().decode(Table.self, from: Fixtures.data("ssrf/ssrf.json"))
    #expect(table.urls.count > 100)
    try await TestService.with(delivers: false) { service in
      for row in table.urls {
        let companion = try Companion()
        let before = try await service.deviceCount()
        let reply = try await service.register(companion.registration(endpoint: row.url))
        let refusedByText = row.expect == "deny" && ["parse", "policy"].contains(row.stage)
        if refusedByText {
          // NUL is refused in every string, before the policy sees this one.
          let code = row.url.contains("\0") ? "malformed-json" : "endpoint-refused"
          #expect(reply.code == code, "\(row.id)")
          #expect(try await service.deviceCount() == before, "\(row.id)")
        } else {
          #expect(reply.status == 201, "\(row.id)")
        }
      }
    }
  }

  @Test("a code registers one client: the lost answer is repeated, another phone is refused")
  func oneClient() async throws {
    try await TestService.with { service in
      let code = try await service.pairingCode()
      let first = try Companion()
      let path = "\(service.path)/devices"
      let one = try await service.send("POST", path, token: code, json: ["client": .string(first.client)])
      let two = try await service.send("POST", path, token: code, json: ["client": .string(first.client)])
      #expect(one.status == 201 && two.status == 200)
      #expect(one.json["device"] == two.json["device"])
      #expect(one.json["token"] != two.json["token"])
      #expect(one.json["state"] == "no-push")
      let other = try await service.send(
        "POST", path, token: code, json: ["client": .string(try Companion().client)])
      #expect(other.status == 403 && other.code == "pairing-used")
      // The newer token's first use ends the older one.
      let device = try #require(one.json["device"]?.string)
      #expect(
        try await service.send("GET", "\(path)/\(device)", token: two.json["token"]?.string).status == 200)
      #expect(
        try await service.send("GET", "\(path)/\(device)", token: one.json["token"]?.string).status == 401)
    }
  }

  @Test("an expired code is refused as such")
  func expired() async throws {
    try await TestService.with { service in
      let code = try await service.pairingCode(expiresIn: -1)
      let reply = try await service.send(
        "POST", "\(service.path)/devices", token: code, json: ["client": .string(try Companion().client)])
      #expect(reply.status == 403 && reply.code == "pairing-expired")
    }
  }

  @Test("a code that has expired, or whose device was revoked, does not even read the stack")
  func endedCode() async throws {
    try await TestService.with { service in
      let expired = try await service.send(
        "GET", service.path, token: try await service.pairingCode(expiresIn: -1))
      #expect(expired.status == 403 && expired.code == "pairing-expired")
      let code = try await service.pairingCode()
      let body: JSONValue = ["client": .string(try Companion().client)]
      let reply = try await service.send("POST", "\(service.path)/devices", token: code, json: body)
      let device = try #require(reply.json["device"]?.string)
      #expect(try await service.send("GET", service.path, token: code).status == 200)
      #expect(try await service.send("DELETE", "/v1/admin/devices/\(device)", door: .admin).status == 204)
      for (method, path) in [("GET", service.path), ("POST", "\(service.path)/devices")] {
        let ended = try await service.send(method, path, token: code, json: body)
        #expect(ended.status == 403 && ended.code == "pairing-used")
      }
    }
  }

  @Test(
    "a registration is JSON whatever the type's case and parameters, and nothing else (B06)",
    arguments: [
      ("application/json; charset=utf-8", 201), ("Application/JSON;charset=\"UTF-8\"", 201),
      ("text/plain", 415),
    ])
  func mediaTypes(type: String, status: Int) async throws {
    try await TestService.with { service in
      let body = try Companion().registration(endpoint: "\(service.pushServer.origin)/up").serialized()
      let reply = try await service.send(
        "POST", "\(service.path)/devices", token: try await service.pairingCode(),
        headers: [("Content-Type", type)], body: body)
      #expect(reply.status == status)
      let marked = try await service.send(
        "POST", "\(service.path)/devices", token: try await service.pairingCode(),
        headers: [("Content-Type", "application/json")], body: [0xef, 0xbb, 0xbf] + body)
      #expect(marked.status == 400 && marked.code == "malformed-json")
    }
  }

  @Test("a VAPID key that the stack does not hold is refused")
  func unknownKey() async throws {
    try await TestService.with { service in
      let companion = try Companion()
      let body = companion.registration(endpoint: "\(service.pushServer.origin)/up")
      let foreign = Base64URL.encode(try P256PrivateKey.generate().publicKey.uncompressed)
      let refused = try await service.register(body.with("vapidPublicKey", .string(foreign)))
      #expect(refused.status == 422 && refused.code == "vapid-key-unknown")
      let taken = try await service.register(
        body.with("vapidPublicKey", .string(service.stack.vapidPublicKey)))
      #expect(taken.status == 201)
    }
  }
}
