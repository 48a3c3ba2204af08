import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("Wakes do not go to where the service itself listens")
struct OwnListenerTests {
  @Test("neither to its public listener nor to its admin or metrics one, by whatever address of this machine")
  func blocked() async throws {
    let settings = [
      "WAKE_LISTEN": "0.0.0.0:0", "WAKE_ADMIN_LISTEN": "127.0.0.1:0",
      "WAKE_METRICS_LISTEN": "127.0.0.1:0",
      "WAKE_PUSH_ALLOW": "127.0.0.0/8, 0.0.0.0/8, ::ffff:127.0.0.0/104, http://localhost:1",
    ]
    try await Server.with(settings) { server in
      let publicPort = try #require(server.address.split(separator: ":").last)
      let adminPort = try #require(server.adminByToken?.split(separator: ":").last)
      let metricsPort = try #require(server.metrics?.split(separator: ":").last)
      let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      for origin in [
        "http://127.0.0.1:\(publicPort)", "http://127.9.9.9:\(publicPort)", "http://localhost:\(publicPort)",
        "http://0.0.0.0:\(publicPort)", "http://[::ffff:127.0.0.1]:\(publicPort)",
        "http://127.0.0.1:\(adminPort)", "http://127.0.0.1:\(metricsPort)",
      ] {
        let phone = try await server.device(endpoint: "\(origin)/v1/secret", stack: stack)
        let tested = try await server.wake("device", "test", phone, "--wait", "0")
        #expect(tested.exitCode == 1)
        #expect(tested.errors.contains("blocked"), "\(origin): \(tested.errors)")
        #expect(tested.errors.contains("is where this service itself listens"), "\(origin): \(tested.errors)")
        #expect(!tested.errors.contains("secret"))
      }
      // The blocks are told of when the service starts.
      let warned = try server.log().split(separator: "\n").filter { $0.contains("WAKE_PUSH_ALLOW") }
      #expect(warned.count == 1)
      #expect(warned.first?.contains("warning") == true && warned.first?.contains("127.0.0.0/8") == true)
    }
  }

  @Test("origins alone are allowed without a warning")
  func originsAlone() async throws {
    try await Server.with(["WAKE_PUSH_ALLOW": "http://127.0.0.1:1"]) { server in
      let log = try server.log()
      #expect(!log.contains("WAKE_PUSH_ALLOW"))
    }
  }
}

extension Server {
  /// A device of a stack with an endpoint anywhere; its id. `unixSocket`: where the service listens, if there.
  func device(endpoint: String, stack: String, unixSocket: String? = nil) async throws -> String {
    let code = try #require(try await json("pair", stack)["code"]?.string)
    let companion = try Companion()
    let body: JSONValue = [
      "client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys,
    ]
    let reply = try await HTTPClient(unixSocket: unixSocket).send(
      "POST", "http://\(unixSocket == nil ? address : "localhost")/v1/stacks/\(stack)/devices",
      headers: [("Authorization", "Bearer \(code)"), ("Content-Type", "application/json")],
      body: body.serialized())
    #expect(reply.status == 201, "\(endpoint): \(reply.json.text)")
    return try #require(reply.json["device"]?.string)
  }
}
