import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Metrics after a known traffic")
struct TrafficTests {
  private static func wakes(_ service: TestService, _ outcome: String) -> String {
    "wake_wakes_total{outcome=\"\(outcome)\",push_server=\"\(service.pushServer.origin)\"}"
  }

  /// Answers of a push server, by the outcome that they come to.
  private static let answers: [(status: Int, outcome: String)] = [
    (201, "accepted"), (404, "gone"), (429, "throttled"), (507, "unsubscribed"), (403, "refused"),
    (413, "oversize"), (400, "rejected"), (302, "redirected"), (500, "server"),
  ]

  @Test("wakes are counted by what came of them, each once, and their times are measured")
  func outcomes() async throws {
    try await TestService.with { service in
      // One phone for each answer; each has its activation wake, which is accepted.
      for (status, _) in Self.answers { _ = try await service.phone("/up/\(status)") }
      _ = await service.pushServer.wait(for: Self.answers.count)
      let muted = try await service.phone("/up/muted")
      let reply = try await service.send(
        "PATCH", service.path(of: muted), token: muted.token, json: ["muted": ["backup"]])
      #expect(reply.status == 200)
      _ = await service.pushServer.wait(for: Self.answers.count + 1)
      for (status, _) in Self.answers where status != 201 {
        service.pushServer.answer("/up/\(status)", with: status)
      }
      #expect(try await service.hook(["kind": "backup"]).status == 202)
      let accepted = Double(Self.answers.count + 1 + 1)
      try await service.eventually {
        let page = try ExpositionText(await service.metricsText())
        return Self.answers.allSatisfy { page[Self.wakes(service, $0.outcome)] ?? 0 > 0 }
          && page[Self.wakes(service, "accepted")] == accepted
      }
      let page = try ExpositionText(await service.metricsText())
      for (status, outcome) in Self.answers where status != 201 {
        #expect(page[Self.wakes(service, outcome)] == 1, "\(outcome)")
      }
      #expect(page[Self.wakes(service, "muted")] == 1)
      for outcome in ["network", "blocked", "unknown", "coalesced", "held", "stale"] {
        #expect(page[Self.wakes(service, outcome)] == 0, "\(outcome)")
      }
      let requests = Double(2 * Self.answers.count + 1)
      #expect(
        page["wake_push_request_seconds_count{push_server=\"\(service.pushServer.origin)\"}"] == requests)
      #expect(page[#"wake_alert_to_answer_seconds_count{waited="no"}"#] == Double(Self.answers.count))
      #expect(page[#"wake_alert_to_answer_seconds_count{waited="yes"}"#] == 0)
      #expect(page[#"wake_alerts_total{kind="backup"}"#] == 1)
      for kind in Kind.allCases where kind.name != "backup" {
        #expect(page["wake_alerts_total{kind=\"\(kind.name)\"}"] == 0)
      }
    }
  }

  @Test("a repeat is no alert, and one that waits behind a window is measured apart, window included")
  func window() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, window: 30) { service in
      _ = try await service.phone("/up/one")
      _ = await service.pushServer.wait(for: 1)
      for _ in 1...2 { _ = try await service.hook(["kind": "problem", "ref": "disk", "moment": "onset"]) }
      _ = await service.pushServer.wait(for: 2)
      try await service.eventually {
        let page = try ExpositionText(await service.metricsText())
        return page[Self.wakes(service, "accepted")] == 2
      }
      _ = try await service.hook(["kind": "update"])
      try await service.eventually {
        let page = try ExpositionText(await service.metricsText())
        return page[Self.wakes(service, "coalesced")] == 1 && clock.sleepers > 0
      }
      clock.pass(31_000)
      try await service.eventually {
        let page = try ExpositionText(await service.metricsText())
        return page[Self.wakes(service, "accepted")] == 3
      }
      let page = try ExpositionText(await service.metricsText())
      #expect(page[#"wake_alerts_total{kind="problem"}"#] == 1)
      #expect(page[#"wake_alert_to_answer_seconds_count{waited="no"}"#] == 1)
      #expect(page[#"wake_alert_to_answer_seconds_count{waited="yes"}"#] == 1)
      #expect(page[#"wake_alert_to_answer_seconds_bucket{waited="yes",le="30.0"}"#] == 0)
      #expect(page[#"wake_alert_to_answer_seconds_bucket{waited="yes",le="60.0"}"#] == 1)
      #expect(page[#"wake_alert_to_answer_seconds_sum{waited="yes"}"#] == 31)
    }
  }

  @Test("an alert that comes with a window's end stood behind it too, and is counted so")
  func lastOfWindow() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, window: 30) { service in
      func count(_ outcome: String) async throws -> Double? {
        try ExpositionText(await service.metricsText())[Self.wakes(service, outcome)]
      }
      _ = try await service.phone("/up/one")
      _ = try await service.hook(["kind": "problem"])
      try await service.eventually { try await count("accepted") == 2 }
      _ = try await service.hook(["kind": "update"])
      try await service.eventually { try await count("coalesced") == 1 && clock.sleepers > 0 }
      // Nobody looks at it before the end.
      _ = try await service.store.appendAlert(NewAlert(kind: .backup), to: service.stack.id, at: clock.now)
      #expect(try await count("coalesced") == 1)
      clock.pass(31_000)
      try await service.eventually { try await count("accepted") == 3 }
      #expect(try await count("coalesced") == 2)
    }
  }

  @Test("a request without an answer took its time too, and no alert was answered by it")
  func failedRequest() async throws {
    let server = try RawServer { _ in RawAnswer("", then: .close) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await TestService.with(alsoAllows: origin) { service in
      let body = try Companion().registration(endpoint: "\(origin)/up")
      #expect(try await service.register(body).status == 201)
      _ = try await service.hook(["kind": "problem"])
      let wakes = "wake_wakes_total{outcome=\"network\",push_server=\"\(origin)\"}"
      try await service.eventually { try ExpositionText(await service.metricsText())[wakes] == 2 }
      let page = try ExpositionText(await service.metricsText())
      #expect(page["wake_push_request_seconds_count{push_server=\"\(origin)\"}"] == 2)
      for waited in ["no", "yes"] {
        #expect(page["wake_alert_to_answer_seconds_count{waited=\"\(waited)\"}"] == 0)
      }
    }
  }

  @Test("a receipt is measured once, however often and by whatever way it is handed back")
  func receipts() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      let phone = try await service.phone("/up/one")
      _ = await service.pushServer.wait(for: 1)
      let receipt = try service.receipts(at: phone)[0]
      clock.pass(2_000)
      #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
      #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
      #expect(try await service.handBack("AAAAAAAAAAAAAAAAAAAAAA", from: phone).status == 204)
      let read = try await service.send(
        "GET", service.path(of: phone), token: phone.token, headers: [("Wake-Receipt", receipt)])
      #expect(read.status == 200)
      var page = try ExpositionText(await service.metricsText())
      #expect(page["wake_receipt_seconds_count"] == 1 && page["wake_receipt_seconds_sum"] == 2)
      #expect(page["wake_last_receipt_timestamp_seconds"] == Double(clock.now) / 1_000)

      _ = try await service.hook(["kind": "problem"])
      _ = await service.pushServer.wait(for: 2)
      clock.pass(5_000)
      let second = try service.receipts(at: phone)[1]
      let other = try await service.send(
        "GET", service.path(of: phone), token: phone.token, headers: [("Wake-Receipt", second)])
      #expect(other.status == 200)
      page = try ExpositionText(await service.metricsText())
      #expect(page["wake_receipt_seconds_count"] == 2 && page["wake_receipt_seconds_sum"] == 7)
    }
  }

  @Test("state is read from the store: devices by state, stacks, pauses, and the alert that nobody answered")
  func state() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      func page() async throws -> ExpositionText {
        // What was read before is told no more.
        clock.pass(15_000)
        return try ExpositionText(await service.metricsText())
      }
      func count(_ state: DeviceState, _ page: ExpositionText) -> Double? {
        page["wake_devices{state=\"\(state.rawValue)\"}"]
      }
      var empty = try await page()
      #expect(DeviceState.allCases.allSatisfy { count($0, empty) == 0 })
      #expect(empty["wake_stacks"] == 1 && empty["wake_unanswered_alert_timestamp_seconds"] == 0)
      // An alert that has nobody to wake is not one without an answer.
      _ = try await service.hook(["kind": "problem"])
      empty = try await page()
      #expect(empty["wake_unanswered_alert_timestamp_seconds"] == 0)

      let good = try await service.phone("/up/good")
      _ = try await service.phone("/up/busy")
      _ = try await service.register(["client": .string(try Companion().client)])
      _ = try await service.anotherStack()
      _ = await service.pushServer.wait(for: 2)
      _ = try await service.handBack(.string(try service.receipts(at: good)[0]), from: good)
      service.pushServer.answer("/up/busy", with: 429)
      clock.pass(60_000)
      let raisedAt = clock.now
      _ = try await service.hook(["kind": "problem"])
      try await service.eventually { try await service.store.overview(at: clock.now).endpointHolds == 1 }
      clock.pass(1_000)
      _ = try await service.hook(["kind": "update"])
      try await service.eventually { try await service.store.overview(at: clock.now).devicesWaiting == 1 }
      let full = try await page()
      #expect(count(.confirmed, full) == 1 && count(.noPush, full) == 1 && count(.held, full) == 1)
      #expect(full["wake_stacks"] == 2 && full["wake_devices_waiting"] == 1)
      #expect(full[#"wake_holds{scope="endpoint"}"#] == 1 && full[#"wake_holds{scope="push_server"}"#] == 0)
      #expect(full["wake_unanswered_alert_timestamp_seconds"] == Double(raisedAt) / 1_000)

      let receipt = try #require(try service.receipts(at: good).last)
      _ = try await service.handBack(.string(receipt), from: good)
      let answered = try await page()
      #expect(answered["wake_unanswered_alert_timestamp_seconds"] == 0)
    }
  }

  @Test("requests and error answers are counted by route and code, commits and their times with them")
  func requests() async throws {
    try await TestService.with(delivers: false) { service in
      let before = try ExpositionText(await service.metricsText())["wake_store_commit_seconds_count"] ?? 0
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      #expect(try await service.hook(["kind": "none of these"]).status == 422)
      #expect(try await service.send("GET", "/v1/stacks/abcdefgh").status == 401)
      #expect(try await service.send("HEAD", "/healthz").status == 200)
      #expect(try await service.send("GET", "/v1/admin/stacks", door: .admin).status == 200)
      let page = try ExpositionText(await service.metricsText())
      func count(_ listener: String, _ method: String, _ route: String, _ status: String) -> Double? {
        page[
          "wake_http_requests_total{listener=\"\(listener)\",method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"}"
        ]
      }
      #expect(count("public", "POST", "/v1/stacks/{stack}/alerts", "2xx") == 1)
      #expect(count("public", "POST", "/v1/stacks/{stack}/alerts", "4xx") == 1)
      #expect(count("public", "GET", "/v1/stacks/{stack}", "4xx") == 1)
      #expect(count("public", "GET", "/healthz", "2xx") == 1)
      #expect(count("admin", "GET", "/v1/admin/stacks", "2xx") == 1)
      #expect(page[#"wake_http_problems_total{code="kind-unknown"}"#] == 1)
      #expect(page[#"wake_http_problems_total{code="unauthenticated"}"#] == 1)
      #expect(page[#"wake_http_problems_total{code="storage-full"}"#] == 0)
      #expect(
        page[#"wake_http_request_seconds_count{method="POST",route="/v1/stacks/{stack}/alerts"}"#] == 2)
      #expect(page["wake_store_commit_seconds_count"] ?? 0 > before)
      for reason in ["busy", "full", "other"] {
        #expect(page["wake_store_failures_total{reason=\"\(reason)\"}"] == 0)
      }
    }
  }
}
