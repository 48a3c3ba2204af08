import EndpointRegistry
import HTTPClient
import HTTPListener
import StandIns
import StrictJSON
import Synchronization
import Testing
import WakeServer

@Suite("The name of a request")
struct RequestIDTests {
  private static let good = [
    "a", "7f9c24e8-3b12-4f0e-9d52-0a1b2c3d4e5f", "01J8Z3NDEKTSV4RRFFQ69G5FAV",
    String(repeating: "x", count: 64), "host.example-17",
  ]
  private static let bad = [
    "", String(repeating: "x", count: 65), "a b", "a_b", "wkd_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "a\"b", "a;b", "a/b", "é", "a=b", "%41", "\u{1b}[2J",
  ]

  @Test("a client's own comes back with every answer, whatever it is", arguments: good)
  func own(id: String) async throws {
    try await TestService.with(delivers: false) { service in
      let headers = [("x-request-id", id)]
      for (method, path) in [
        ("GET", "/healthz"), ("GET", "/nothing"), ("POST", "/healthz"), ("OPTIONS", "/healthz"),
        ("GET", service.path),
      ] {
        let reply = try await service.send(method, path, headers: headers)
        #expect(reply.header("X-Request-Id") == id, "\(method) \(path)")
      }
      let reply = try await service.send("GET", service.path, token: service.hookToken.text, headers: headers)
      #expect(reply.status == 200 && reply.header("X-Request-Id") == id)
    }
  }

  @Test("one that may not stand in a log is replaced by one of ours, and so is a second one", arguments: bad)
  func replaced(id: String) async throws {
    try await TestService.with(delivers: false) { service in
      let reply = try await service.send("GET", "/healthz", headers: [("X-Request-Id", id)])
      let ours = try #require(reply.header("X-Request-Id"))
      #expect(ours != id && ours.wholeMatch(of: /[0-9a-f]{16}/) != nil)
      let doubled = try await service.send(
        "GET", "/healthz", headers: [("X-Request-Id", "one"), ("X-Request-Id", "two")])
      let second = try #require(doubled.header("X-Request-Id"))
      #expect(!["one", "two", ours].contains(second))
    }
  }

  @Test("over a socket too, and with a stream and what the listener refused", .timeLimit(.minutes(1)))
  func socket() async throws {
    try await TestService.with(.socket) { service in
      let reply = try await service.send("GET", "/nothing", headers: [("X-Request-Id", "over-tcp")])
      #expect(reply.status == 404 && reply.header("X-Request-Id") == "over-tcp")
      let phone = try await service.phone()
      let stream = try await StreamListener(service, token: phone.token, requestID: "my-stream")
      #expect(try await stream.next().event == "hello")
      #expect(stream.stream.header("X-Request-Id") == "my-stream")
      stream.stream.cancel()
      let refused = service.application.refuse(.badRequest("no"), through: .everyone)
      #expect(refused.header("X-Request-Id")?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }
  }

  @Test("it stands in the lines about its request, which name the route and no path, token or query")
  func lines() async throws {
    let lines = Mutex<[String]>([])
    let log = Log(from: .debug, format: .json) { line in lines.withLock { $0.append(line) } }
    try await TestService.with(delivers: false, log: log) { service in
      let token = service.hookToken.text
      _ = try await service.send(
        "GET", "\(service.path)/alerts?after=secret-query", token: token, headers: [("X-Request-Id", "one")])
      _ = try await service.send(
        "GET", service.path, token: "wkh_\(String(repeating: "A", count: 43))",
        headers: [("X-Request-Id", "two")])
      _ = try await service.send("secretMETHOD", "/secret/path", headers: [("X-Request-Id", "three")])
      _ = try await service.send("GET", "/healthz", headers: [("X-Request-Id", token)])
      let said = try lines.withLock(\.self).map { try StrictJSON.parse(Array($0.utf8)) }
      func about(_ id: String) -> [String] {
        said.filter { $0["requestId"]?.string == id }.compactMap { $0["message"]?.string }
      }
      #expect(about("one") == ["GET /v1/stacks/{stack}/alerts was answered 200"])
      #expect(about("two").contains { $0.hasPrefix("no valid token from") })
      #expect(about("two").contains("GET /v1/stacks/{stack} was answered 401"))
      #expect(about("three") == ["a request that no route takes was answered 404"])
      let all = lines.withLock { $0.joined() }
      for secret in [token, "secret", "AAAAA", service.stack.id.text] { #expect(!all.contains(secret)) }
    }
  }
}
