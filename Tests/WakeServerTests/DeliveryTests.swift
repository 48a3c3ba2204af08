import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("What a core is told of its wakes")
struct DeliveryTests {
  private static func delivery(_ service: TestService) async throws -> Reply {
    try await service.send("GET", "\(service.path)/delivery", token: service.hookToken.text)
  }

  @Test("nothing is configured, sent or failing on a new stack")
  func nothing() async throws {
    try await TestService.with(delivers: false) { service in
      let reply = try await Self.delivery(service)
      #expect(reply.status == 200)
      #expect(reply.json["pushServers"] == .array([]))
      let counts = DeviceState.allCases.map { reply.json["devices"]?[$0.rawValue] }
      #expect(counts.allSatisfy { $0 == 0 })
    }
  }

  @Test("configured, sent, confirmed and failing are different things, with the reason")
  func states() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      let phones = try await ["/up/good", "/up/quiet", "/up/bad"].asyncMap { try await service.phone($0) }
      _ = try await service.register(["client": .string(try Companion().client)])
      _ = await service.pushServer.wait(for: 3)
      let good = try #require(phones.first)
      _ = try await service.handBack(.string(try service.receipts(at: good)[0]), from: good)
      try await service.eventually {
        try await service.store.attempts(AttemptFilter(outcome: .unknown), before: nil, limit: 1).isEmpty
      }
      let accepted = clock.now
      service.pushServer.answer("/up/bad", with: 403)
      clock.pass(60_000)
      _ = try await service.send(
        "POST", "\(service.path(of: phones[2]))/test", token: phones[2].token, json: [:])
      try await service.eventually { try await service.device(phones[2])["state"] == "undelivered" }

      let reply = try await Self.delivery(service)
      let devices = reply.json["devices"]
      #expect(devices?["confirmed"] == 1 && devices?["unconfirmed"] == 1)
      #expect(devices?["undelivered"] == 1 && devices?["no-push"] == 1)
      guard case .array(let servers)? = reply.json["pushServers"], let server = servers.first else {
        Issue.record("no push server is named")
        return
      }
      #expect(servers.count == 1)
      #expect(server["origin"]?.string == service.pushServer.origin)
      #expect(server["devices"] == 3)
      #expect(server["lastOutcome"] == "refused")
      #expect(server["lastAccepted"]?.string == Presentation.time(accepted))
      #expect(server["held"] == .null)
      #expect(server["reason"]?.string?.isEmpty == false)
      #expect(
        server["explanation"]?["cause"]?.string?.contains("does not let this service send (403)") == true)
      #expect(server["explanation"]?["fix"]?.string?.isEmpty == false)
      #expect(!String(decoding: reply.body, as: UTF8.self).contains("/up/"))
    }
  }
}
