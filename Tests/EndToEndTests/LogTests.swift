import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("The log")
struct LogTests {
  @Test("a log of everything has no path, key or token, and neither have the metrics")
  func secrets() async throws {
    let pushServer = try StandInPushServer()
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = [
      "WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0", "WAKE_LOG_LEVEL": "debug",
      "WAKE_METRICS_LISTEN": "127.0.0.1:0",
    ]
    try await Server.with(state, settings) { server in
      let phone = try await server.phone(pushServer, stack: "home", target: "/up/secret-path")
      _ = await pushServer.wait(for: 1)
      pushServer.answer("/up/secret-path", with: 404)
      let raised = try await server.ask(
        "POST", "/v1/stacks/\(phone.stack)/alerts", token: phone.hook,
        json: ["kind": "backup", "event": "secret.event", "alert": ["text": "secret text"]])
      #expect(raised.status == 202)
      let messages = await pushServer.wait(for: 2)
      let end = ContinuousClock.now + .seconds(30)
      while try !server.log().contains("erased"), ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(20))
      }
      let address = try #require(server.metrics)
      let metrics = String(
        decoding: try await HTTPClient().send("GET", "http://\(address)/metrics").body, as: UTF8.self)
      #expect(metrics.contains(pushServer.origin))
      for name in [phone.device, phone.stack, "home"] { #expect(!metrics.contains(name)) }
      let log = try server.log()
      #expect(log.contains(phone.device) && log.contains("erased"))
      let authorization = try #require(messages.last?.header("Authorization"))
      let token = try #require(authorization.split(separator: "t=").last?.split(separator: ",").first)
      let keys = try ["p256dh", "auth"].map { try #require(phone.companion.keys[$0]?.string) }
      for secret in [phone.token, phone.hook, "secret-path", "secret.event", "secret text", String(token)]
        + keys
      {
        #expect(!log.contains(secret) && !metrics.contains(secret))
      }
    }
    await pushServer.stop()
  }
}
