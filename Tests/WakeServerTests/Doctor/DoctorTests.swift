import EndpointRegistry
import HTTPClient
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("The doctor walks the whole way, and says what it sees (B24)")
struct DoctorTests {
  @Test("with nothing broken every link is looked at once, in order, and one wake goes")
  func healthy() async throws {
    try await TestService.with(.socket) { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let diagnosis = try await service.examineAnswering(phone)
      #expect(diagnosis.of("fault").isEmpty, "\(diagnosis.text)")
      #expect(
        diagnosis.findings.compactMap { $0["link"]?.string } == [
          "configuration", "store", "service-key", "public-url", "certificate", "registration",
          "name-resolution",
          "address-policy", "connection", "tls", "wake", "clock", "answer", "receipt",
        ])
      #expect(diagnosis.finding("receipt")?["verdict"] == "ok")
      // Loopback is an address that no phone has.
      #expect(diagnosis.verdict == "warning" && diagnosis.links("warning") == ["public-url"])
      for link in [
        "configuration", "store", "public-url", "registration", "name-resolution", "address-policy",
        "connection",
        "wake", "clock", "answer", "receipt",
      ] {
        #expect(diagnosis.finding(link)?["milliseconds"]?.integer != nil, "\(link)")
      }
      #expect(service.pushServer.messages.count == 2)
      let attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 10)
      #expect(attempts.map(\.purpose) == [.test, .activation])
    }
  }

  @Test("whoever asks for an event stream sees each finding as it comes, and the summary at the end")
  func live() async throws {
    try await TestService.with(.socket) { service in
      let phone = try await service.phone()
      // The last receipt is the examination's then, and not that of the activation.
      _ = await service.pushServer.wait(for: 1)
      let stream = try await HTTPClient().stream(
        "POST", service.baseURL + service.path(of: phone) + "/doctor?wait=20",
        headers: [("Authorization", "Bearer \(phone.token)"), ("Accept", "text/event-stream")],
        idleSeconds: 30)
      #expect(stream.header("Content-Type") == "text/event-stream")
      var reader = EventStreamReader()
      var events: [EventStreamReader.Event] = []
      var isAnswered = false
      while events.last?.event != "done", let piece = try await stream.next() {
        for case .event(let event) in try reader.read(piece) { events.append(event) }
        // The receipt is handed back while the stream waits for it: so what came before it came live.
        guard !isAnswered, events.contains(where: { $0.json["link"] == "answer" }) else { continue }
        isAnswered = true
        let receipt = try #require(try service.receipts(at: phone).last)
        #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
      }
      #expect(events.dropLast().allSatisfy { $0.event == "finding" })
      #expect(
        events.dropLast().compactMap { $0.json["link"]?.string } == [
          "registration", "reach", "wake", "answer", "receipt",
        ])
      #expect(events.last?.event == "done" && events.last?.json["verdict"] == "ok")
      #expect(events.last?.json["fix"] == .null && events.last?.json["fault"] == .null)
    }
  }

  @Test("without a device nothing is sent: push servers in use are looked at, and silent devices are named")
  func all() async throws {
    try await TestService.with(.socket) { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let dead = try await service.phone("/up/dead")
      _ = await service.pushServer.wait(for: 2)
      service.pushServer.answer("/up/dead", with: 410)
      _ = try await service.examine(dead.device)
      let before = service.pushServer.messages.count
      let diagnosis = try await service.examineAll()
      #expect(service.pushServer.messages.count == before)
      #expect(diagnosis.of("fault").isEmpty, "\(diagnosis.text)")
      let reached = diagnosis.findings.first { $0["link"] == "connection" }
      #expect(reached?["pushServer"]?.string == service.pushServer.origin && reached?["verdict"] == "ok")
      // The clock is compared with what the push server said when the last wake went.
      #expect(diagnosis.finding("clock")?["verdict"] == "ok", "\(diagnosis.text)")
      let devices = diagnosis.findings.filter { $0["link"] == "devices" }
      #expect(devices.first?["device"]?.string == dead.device)
      #expect(devices.first?["seen"]?.string?.hasPrefix("gone") == true)
      #expect(devices.count == 2 && devices.last?["seen"] == "1 of 2 need no look")
      #expect(!diagnosis.text.contains(phone.token))
    }
  }

  @Test("devices that need a look are named up to a bound, and counted beyond it")
  func manyDevices() async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let count = 23
      for number in 0..<count {
        let phone = try await service.phone("/up/gone\(number)")
        service.pushServer.answer("/up/gone\(number)", with: 410)
        _ = try await service.send("POST", "/v1/admin/devices/\(phone.device)/test", door: .admin)
      }
      let devices = try await service.examineAll().findings.filter { $0["link"] == "devices" }
      #expect(devices.count == 21)
      #expect(devices.last?["seen"] == "3 more" && devices.last?["verdict"] == "warning")
    }
  }

  @Test("a clock may be off by five minutes", arguments: [(-6, false), (-4, true), (4, true), (6, false)])
  func clock(minutes: Int64, isFine: Bool) async throws {
    let ahead = minutes * 60_000
    try await TestService.with(
      .socket, clock: WallClock { WallClock.system.now() + ahead }, delivers: false
    ) { service in
      let phone = try await service.phone("/up/a")
      let diagnosis = try await service.examine(phone.device)
      #expect(
        diagnosis.finding("clock")?["verdict"]?.string == (isFine ? "ok" : "fault"), "\(diagnosis.text)")
      #expect(diagnosis.finding("answer")?["verdict"] == "ok")
    }
  }

  @Test("only the operator examines all, and only a device's own token examines it")
  func access() async throws {
    try await TestService.with { service in
      let (phone, other) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      #expect(try await service.send("POST", "/v1/admin/doctor").status == 404)
      let path = "\(service.path(of: phone))/doctor?wait=0"
      #expect(try await service.send("POST", path).status == 401)
      #expect(try await service.send("POST", path, token: other.token).status == 404)
      #expect(try await service.send("POST", path, token: service.hookToken.text).status == 403)
      let unknown = "/v1/admin/devices/\(String(repeating: "a", count: 26))/doctor"
      #expect(try await service.send("POST", unknown, door: .admin).status == 404)
      for wait in ["-1", "301", "x", "1.5", ""] {
        let path = "/v1/admin/devices/\(phone.device)/doctor?wait=\(wait)"
        #expect(try await service.send("POST", path, door: .admin).code == "malformed-request", "\(wait)")
      }
    }
  }

  @Test("a companion may ask six times at once and then every ten seconds, each for itself")
  func rate() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady) { service in
      let (phone, other) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      func ask(_ phone: Phone) async throws -> Reply {
        try await service.send("POST", "\(service.path(of: phone))/doctor?wait=0", token: phone.token)
      }
      for _ in 0..<6 { #expect(try await ask(phone).status == 200) }
      let refused = try await ask(phone)
      #expect(
        refused.status == 429 && refused.code == "rate-limited" && refused.header("Retry-After") == "10")
      #expect(try await ask(other).status == 200)
      clock.pass(10_000)
      #expect(try await ask(phone).status == 200)
    }
  }
}
