import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("Requests and errors")
struct RequestTests {
  @Test(
    "JSON is known by its media type, whatever its case and parameters (B06)", arguments: Transport.allCases,
    [
      ("application/json", 202), ("application/json; charset=utf-8", 202),
      ("Application/JSON;charset=\"UTF-8\"", 202), ("application/json ;x=y", 202), ("text/plain", 415),
      ("application/jsonx", 415), ("application/merge-patch+json", 415), ("", 415),
    ])
  func mediaTypes(transport: Transport, line: (type: String, status: Int)) async throws {
    try await TestService.with(transport) { service in
      let reply = try await service.send(
        "POST", "\(service.path)/alerts", token: service.hookToken.text,
        headers: [("Content-Type", line.type)], body: Array(#"{"kind":"problem"}"#.utf8))
      #expect(reply.status == line.status)
      if line.status == 415 { #expect(reply.code == "unsupported-media-type") }
    }
  }

  @Test("a byte order mark is a clean 400 (B06)")
  func byteOrderMark() async throws {
    try await expect([0xef, 0xbb, 0xbf] + Array(#"{"kind":"problem"}"#.utf8), 400, "malformed-json")
  }

  @Test(
    "a body that is no JSON object is refused before any decoder can fall over it",
    arguments: [
      ("", 400, "malformed-json"), ("{", 400, "malformed-json"),
      ("{\"kind\":\"problem\",}", 400, "malformed-json"),
      ("[]", 400, "malformed-request"), ("\"problem\"", 400, "malformed-request"),
      ("{\"kind\":\"problem\",\"kind\":\"backup\"}", 400, "duplicate-key"),
      ("{\"kind\":\"problem\",\"k\\u0069nd\":\"backup\"}", 400, "duplicate-key"),
      ("{\"kind\":\"problem\",\"event\":\"a\\u0000b\"}", 400, "malformed-json"),
      ("{\"kind\":\"problem\",\"event\":\"\\ud800\"}", 400, "malformed-json"),
      (String(repeating: "[", count: 513), 400, "too-deep"),
      ("{\"endpoint\":\"x\",\"k\":" + String(repeating: "[", count: 512), 400, "too-deep"),
      ("{\"kind\":\"problem\",\"alert\":" + String(repeating: "{\"a\":", count: 32) + "1", 400, "too-deep"),
    ])
  func bodies(text: String, status: Int, code: String) async throws {
    try await expect(Array(text.utf8), status, code)
  }

  @Test("octets that are no UTF-8 are refused")
  func notUTF8() async throws {
    try await expect(
      Array("{\"kind\":\"prob".utf8) + [0xff, 0xfe] + Array("\"}".utf8), 400, "malformed-json")
  }

  @Test("a body over 64 KiB is 413", arguments: Transport.allCases)
  func tooLarge(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let body = Array("{\"kind\":\"problem\",\"x\":\"\(String(repeating: "x", count: 65_536))\"}".utf8)
      let reply = try await service.send(
        "POST", "\(service.path)/alerts", token: service.hookToken.text,
        headers: [("Content-Type", "application/json")], body: body)
      #expect(reply.status == 413 && reply.code == "too-large")
    }
  }

  @Test("an error has the shape of RFC 9457, on the wire too", arguments: Transport.allCases)
  func shape(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let reply = try await service.hook(["kind": "weather"])
      #expect(reply.header("Content-Type") == "application/problem+json")
      #expect(reply.json["type"] == "urn:wake:problem:kind-unknown")
      #expect(reply.json["status"] == 422 && reply.json["code"] == "kind-unknown")
      #expect(reply.json["title"]?.string?.isEmpty == false && reply.json["detail"]?.string?.isEmpty == false)
    }
  }

  @Test(
    "a method that is not there is 405 with Allow, a path that is not is 404", arguments: Transport.allCases)
  func methods(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let reply = try await service.send("DELETE", "\(service.path)/alerts", token: service.hookToken.text)
      #expect(reply.status == 405 && reply.code == "method-not-allowed")
      #expect(reply.header("Allow") == "GET, HEAD, OPTIONS, POST")
      let options = try await service.send("OPTIONS", "\(service.path)/alerts")
      #expect(options.status == 204 && options.header("Allow") == "GET, HEAD, OPTIONS, POST")
      for path in [
        "/", "/v1", "/v1/stacks", "\(service.path)/", "/v1/stacks//alerts", "/v2/kinds", "/console",
      ] {
        let reply = try await service.send("GET", path)
        #expect(reply.status == 404 && reply.code == "not-found", "\(path)")
      }
    }
  }

  @Test("everyone may ask for health, readiness and the kinds", arguments: Transport.allCases)
  func forEveryone(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let health = try await service.send("GET", "/healthz")
      #expect(health.status == 200 && String(decoding: health.body, as: UTF8.self) == #"{"status":"ok"}"#)
      #expect(try await service.send("GET", "/readyz").status == 200)
      let kinds = try await service.send("GET", "/v1/kinds")
      #expect(kinds.json["kinds"]?.array?.map { $0["kind"]?.string } == Kind.allCases.map(\.name))
      #expect(kinds.json["version"]?.string == CatalogueVersion(Kind.allCases).text)
    }
  }

  @Test("a stack says what companions need", arguments: Transport.allCases)
  func stack(transport: Transport) async throws {
    try await TestService.with(transport) { service in
      let reply = try await service.send("GET", service.path, token: try await service.pairingCode())
      #expect(reply.status == 200)
      #expect(reply.json["stack"]?.string == service.stack.id.text && reply.json["label"] == "home")
      #expect(reply.json["vapidPublicKey"]?.string?.count == 87)
      #expect(reply.json["retention"] == ["alerts": 200, "seconds": 604_800])
    }
  }

  @Test("the core declares its kinds, and words that are none change nothing")
  func declare() async throws {
    try await TestService.with { service in
      let path = "\(service.path)/kinds"
      let token = service.hookToken.text
      let changed = try await service.send(
        "PUT", path, token: token, json: ["kinds": ["member", "problem", "member"]])
      #expect(changed.status == 200 && changed.json["kinds"] == ["problem", "member"])
      for (body, code) in [
        (["kinds": ["problem", "weather"]], "kind-unknown"), (["kinds": "problem"], "invalid-field"),
        ([:], "missing-field"),
      ] as [(JSONValue, String)] {
        let reply = try await service.send("PUT", path, token: token, json: body)
        #expect(reply.status == 422 && reply.code == code)
      }
      #expect(try await service.store.stack(service.stack.id)?.kinds == [.problem, .member])
    }
  }

  /// The hook refuses the octets, and keeps nothing.
  private func expect(_ body: [UInt8], _ status: Int, _ code: String) async throws {
    try await TestService.with { service in
      let reply = try await service.send(
        "POST", "\(service.path)/alerts", token: service.hookToken.text,
        headers: [("Content-Type", "application/json")], body: body)
      #expect(reply.status == status && reply.code == code)
      #expect(try await service.store.alerts(of: service.stack.id, after: nil, limit: 1).alerts.isEmpty)
    }
  }
}
