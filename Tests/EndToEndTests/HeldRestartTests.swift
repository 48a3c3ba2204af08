import Foundation
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("A pause that a push server asked for, and a restart (B19)")
struct HeldRestartTests {
  @Test("the pause outlives the process: nothing goes there before its end, and everybody sees until when")
  func restart() async throws {
    let busy = try RawServer { _ in
      .status(429, headers: [("Retry-After", "3600")])
    }
    defer { busy.stop() }
    let origin = "http://127.0.0.1:\(busy.port)"
    let state = try TemporaryFolder()
    defer { state.remove() }
    let environment = ["WAKE_PUSH_ALLOW": origin, "WAKE_WINDOW": "0"]
    var server = try await Server(state, environment)
    let phone = try await Self.register(with: server, endpoint: "\(origin)/busy")
    await busy.wait(requests: 1)
    try await Self.row("throttled", in: server)
    #expect(await server.stop() == 0)

    server = try await Server(state, environment)
    let sent = try await server.json("send", "home", "problem")
    #expect(sent["devices"] == 1)
    try await Self.row("held", in: server)
    let device = try await server.json("device", "list").array?.first
    #expect(device?["state"] == "held" && device?["device"]?.string == phone)
    let tested = try await server.wake("device", "test", phone)
    #expect(tested.exitCode == 1 && tested.errors.contains("pause"))
    #expect(!tested.errors.contains("/busy"))
    #expect(await server.stop() == 0)
    #expect(busy.requests.count == 1)
  }

  /// A stack with one device.
  private static func register(with server: Server, endpoint: String) async throws -> String {
    let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
    let code = try #require(try await server.json("pair", stack)["code"]?.string)
    let companion = try Companion()
    let reply = try await server.ask(
      "POST", "/v1/stacks/\(stack)/devices", token: code,
      json: ["client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys])
    return try #require(reply.json["device"]?.string)
  }

  /// Waits until the newest attempts have one with that outcome.
  private static func row(_ outcome: String, in server: Server) async throws {
    for _ in 0..<500 {
      let rows = try await server.json("attempts", "--outcome", outcome).array ?? []
      if !rows.isEmpty { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("no attempt was \(outcome)")
  }
}
