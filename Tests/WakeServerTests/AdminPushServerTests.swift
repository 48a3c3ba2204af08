import EndpointRegistry
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("The push servers, as the operator sees them")
struct AdminPushServerTests {
  private static func list(_ service: TestService, _ query: String = "") async throws -> Reply {
    try await service.send("GET", "/v1/admin/push-servers\(query)", door: .admin)
  }

  @Test("what the newest attempt of any stack came to, with the reason and what to do")
  func newest() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      _ = try await service.phone("/up/good")
      let bad = try await service.phone("/up/bad")
      _ = await service.pushServer.wait(for: 2)
      try await service.eventually {
        try await service.store.attempts(AttemptFilter(outcome: .unknown), before: nil, limit: 1).isEmpty
      }
      let good = try #require(try await Self.list(service).json["pushServers"]?.array?.first)
      #expect(good["origin"]?.string == service.pushServer.origin && good["devices"] == 2)
      #expect(good["lastOutcome"] == "accepted" && good["explanation"] == .null && good["held"] == .null)

      let accepted = clock.now
      clock.pass(60_000)
      service.pushServer.answer("/up/bad", with: 403)
      let path = "/v1/admin/devices/\(bad.device)/test"
      #expect(try await service.send("POST", path, door: .admin).json["outcome"] == "refused")
      let server = try #require(try await Self.list(service).json["pushServers"]?.array?.first)
      #expect(server["lastOutcome"] == "refused" && server["lastStatus"] == 403)
      #expect(server["lastAccepted"]?.string == Presentation.time(accepted))
      #expect(server["lastAttempt"]?.string == Presentation.time(clock.now))
      #expect(server["explanation"]?["fix"]?.string?.isEmpty == false)
      #expect(!"\(server)".contains("/up/"))
    }
  }

  @Test("until when all of its devices are held")
  func held() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      let phones = try await ["/up/1", "/up/2"].asyncMap { try await service.phone($0) }
      _ = await service.pushServer.wait(for: 2)
      clock.pass(60_000)
      for (index, phone) in phones.enumerated() {
        service.pushServer.answer("/up/\(index + 1)", with: 429)
        let path = "/v1/admin/devices/\(phone.device)/test"
        #expect(try await service.send("POST", path, door: .admin).json["outcome"] == "throttled")
        let server = try #require(try await Self.list(service).json["pushServers"]?.array?.first)
        #expect((server["held"]?["until"]?.string != nil) == (index == 1), "\(server)")
      }
    }
  }

  @Test("the operator alone reads of an address that the policy forbids")
  func blocked() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone("/up/1")
      let reason = "192.168.1.7 is not public (private use); to reach it, add x to WAKE_PUSH_ALLOW"
      let device = try #require(DeviceID(phone.device))
      try await service.block(device, reason: reason)
      let server = try #require(try await Self.list(service).json["pushServers"]?.array?.first)
      #expect(server["reason"]?.string == reason)
      #expect(server["explanation"]?["cause"]?.string?.contains("192.168.1.7") == true)
      let told = try await service.send("GET", "\(service.path)/delivery", token: service.hookToken.text)
      #expect(!String(decoding: told.body, as: UTF8.self).contains("192.168.1.7"))
      let cause = "The endpoint leads where pushes must not go, by the address policy of this service."
      #expect(told.json["pushServers"]?.array?.first?["explanation"]?["cause"]?.string == cause)
    }
  }

  @Test("the list is paged by origin")
  func pages() async throws {
    try await TestService.with(delivers: false, alsoAllows: "http://127.0.0.2:1,http://127.0.0.3:1") {
      service in
      for origin in ["http://127.0.0.2:1", "http://127.0.0.3:1"] {
        #expect(
          try await service.register(try Companion().registration(endpoint: "\(origin)/up")).status == 201)
      }
      let first = try await Self.list(service, "?limit=1").json
      #expect(first["pushServers"]?.array?.first?["origin"] == "http://127.0.0.2:1")
      #expect(first["next"] == "http://127.0.0.2:1")
      let second = try await Self.list(service, "?cursor=http%3A%2F%2F127.0.0.2%3A1").json
      #expect(second["pushServers"]?.array?.compactMap { $0["origin"] } == ["http://127.0.0.3:1"])
      #expect(second["next"] == .null)
    }
  }
}

extension TestService {
  /// Puts into the record that a wake to a device was not sent, as the address policy forbids it.
  fileprivate func block(_ device: DeviceID, reason: String) async throws {
    let now = WallClock.system.now()
    let attempt = NewAttempt(
      stack: stack.id, device: device, receipt: String(repeating: "A", count: 22),
      pushServer: pushServer.origin, purpose: .test)
    let begun = try await store.beginAttempts([attempt], at: now)
    try await store.completeAttempts(
      begun.map { AttemptResult(id: $0, outcome: .blocked, reason: reason, milliseconds: 1) }, at: now)
  }
}
