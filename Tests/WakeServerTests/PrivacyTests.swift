import EndpointRegistry
import KindCatalogue
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("What others learn")
struct PrivacyTests {
  /// The `k` of a wake's authorization: the stack's VAPID key.
  private static func key(_ message: StandInPushServer.Message) -> String? {
    message.header("Authorization")?.split(separator: "k=").last.map(String.init)
  }

  @Test("two stacks at one push server have nothing in common there")
  func twoStacks() async throws {
    try await TestService.with { service in
      let other = try await service.anotherStack()
      _ = try await service.phone("/up/one")
      let code = try await service.store.addPairing(
        stack: other.stack.id, at: WallClock.system.now(), expiresAt: WallClock.system.now() + 900_000)
      let companion = try Companion()
      let reply = try await service.send(
        "POST", "/v1/stacks/\(other.stack.id.text)/devices", token: code.text,
        json: companion.registration(endpoint: service.pushServer.origin + "/up/two"))
      #expect(reply.status == 201)
      let messages = await service.pushServer.wait(for: 2)
      let one = try #require(messages.first { $0.target == "/up/one" })
      let two = try #require(messages.first { $0.target == "/up/two" })
      #expect(Self.key(one) != nil && Self.key(one) != Self.key(two))
      #expect(one.header("Topic") != two.header("Topic"))
      #expect(one.body.prefix(86) != two.body.prefix(86))
      let differing = Set(["authorization", "topic"])
      for (first, second) in zip(one.headers, two.headers) {
        #expect(first.name == second.name)
        if !differing.contains(first.name.lowercased()) { #expect(first.value == second.value) }
      }
    }
  }

  @Test("what is closed, silent, in pieces or forbidden looks the same to a companion")
  func network() async throws {
    let server = try RawServer { request in
      switch request.target {
      case "/silent": .silence
      case "/closes": RawAnswer(octets: [], then: .close)
      case "/pieces": RawAnswer("HTTP/1.1 garbage\r\n\r\n", then: .close)
      default: .status(500, body: "the secret of the network")
      }
    }
    defer { server.stop() }
    let closed = try RawServer { _ in .status(201) }
    closed.stop()
    let (origin, nowhere) = ("http://127.0.0.1:\(server.port)", "http://127.0.0.1:\(closed.port)")
    let inside = try #require(IPAddress(parsing: "10.0.0.1"))
    try await TestService.with(
      alsoAllows: "\(origin),\(nowhere)",
      sending: {
        $0.totalTimeoutMilliseconds = 1_500
        $0.resolver = { _ in [inside] }
      }
    ) { service in
      var seen: Set<String> = []
      let endpoints = [
        "\(origin)/silent", "\(origin)/closes", "\(origin)/pieces", "\(origin)/fault", "\(nowhere)/x",
        "https://inside.example/x",
      ]
      for endpoint in endpoints {
        let companion = try Companion()
        let reply = try await service.register(companion.registration(endpoint: endpoint))
        let (device, token) = (
          try #require(reply.json["device"]?.string), try #require(reply.json["token"]?.string)
        )
        var shown: JSONObject = [:]
        try await service.eventually {
          shown = try await service.send("GET", "\(service.path)/devices/\(device)", token: token).json
          return shown["state"] == "undelivered"
        }
        // What is the device's own, and what it said itself.
        for name in ["device", "since", "lastWake", "pushServer"] { shown[name] = nil }
        seen.insert(JSONValue.object(shown).text)
      }
      #expect(seen.count == 1)
    }
  }

  @Test("a core is told of no device")
  func core() async throws {
    try await TestService.with { service in
      let phone = try await service.phone("/up/secret-path")
      _ = await service.pushServer.wait(for: 1)
      _ = try await service.hook(["kind": "problem"])
      for path in ["/delivery", "/alerts", ""] {
        let reply = try await service.send("GET", service.path + path, token: service.hookToken.text)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(reply.status == 200)
        for secret in [phone.device, "secret-path", phone.token, phone.companion.client] {
          #expect(!text.contains(secret), "\(path)")
        }
      }
    }
  }
}
