import CryptoPrimitives
import EndpointRegistry
import Foundation
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing

@testable import WakeServer

@Suite("What single checks of the doctor say")
struct DoctorChecksTests {
  @Test(
    "a phone that went silent, one that was not reached and one that is held are warned of, each by its name")
  func devices() async throws {
    let clock = TestClock()
    try await TestService.with(.socket, clock: clock.wall, delivers: false) { service in
      let (silent, failing) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      let held = try await service.phone("/up/c")
      func test(_ phone: Phone) async throws {
        _ = try await service.send("POST", "/v1/admin/devices/\(phone.device)/test", door: .admin)
      }
      try await test(silent)
      let receipt = try #require(try service.receipts(at: silent).last)
      #expect(try await service.handBack(.string(receipt), from: silent).status == 204)
      for _ in 0..<3 { try await test(silent) }
      clock.pass(25 * 3_600_000)
      service.pushServer.answer("/up/b", with: 500)
      service.pushServer.answer("/up/c", with: 429)
      try await test(failing)
      try await test(held)
      let findings = try await service.examineAll().findings.filter { $0["link"] == "devices" }
      for (phone, word) in [(silent, "silent: "), (failing, "undelivered: "), (held, "held until ")] {
        let found = findings.first { $0["device"]?.string == phone.device }
        #expect(
          found?["verdict"] == "warning" && found?["seen"]?.string?.hasPrefix(word) == true, "\(findings)")
      }
      let cause = findings.first { $0["device"]?.string == held.device }?["cause"]?.string
      #expect(cause?.contains("(429)") == true, "\(cause ?? "")")
    }
  }

  @Test("a certificate that ends soon is warned of, and one that is pinned and has expired is a fault")
  func certificates() throws {
    let authority = try #require(TestAuthority.shared)
    let pem = [UInt8](try Data(contentsOf: authority.folder.appendingPathComponent("selfSigned.pem")))
    let certificate = try Certificate(firstOf: pem)
    for (seconds, verdict) in [(-86_400, DoctorVerdict.warning), (1, .fault), (-30 * 86_400, .ok)] {
      let now = (certificate.notAfterSeconds + Int64(seconds)) * 1_000
      let check = CertificateCheck(origin: "https://wake.example", clock: WallClock { now })
      let finding = check.finding(shown: pem, pin: certificate.fingerprint, isSecure: true)
      #expect(finding.verdict == verdict && finding.link == .certificate, "\(finding.seen)")
    }
  }

  @Test("little room on the disk is warned of", arguments: [(255, DoctorVerdict.warning), (256, .ok)])
  func room(mebibytes: Int, verdict: DoctorVerdict) async throws {
    try await TestService.with(delivers: false) { service in
      let check = StoreWriteCheck(
        store: service.store, path: service.storeFolder.path, room: { _ in UInt64(mebibytes) << 20 })
      let finding = await check.finding()
      #expect(finding.verdict == verdict && finding.seen.contains("\(mebibytes) MiB"))
    }
  }

  @Test("the receipt's time is from the wake to the receipt")
  func receiptTime() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, delivers: false) { service in
      let phone = try await service.phone()
      _ = try await service.send("POST", "/v1/admin/devices/\(phone.device)/test", door: .admin)
      clock.pass(1_234)
      let receipt = try #require(try service.receipts(at: phone).last)
      #expect(try await service.handBack(.string(receipt), from: phone).status == 204)
      let row = try #require(try await service.store.attempts(AttemptFilter(), before: nil, limit: 1).first)
      let finding = try await ReceiptCheck(store: service.store, seconds: 1)
        .finding(of: row.id, to: row.device, whileWanted: { true })
      #expect(finding.verdict == .ok && finding.milliseconds == 1_234)
    }
  }

  @Test("push servers beyond the bound are counted, on however many pages of however many stacks they are")
  func manyPushServers() async throws {
    try await TestService.with(delivers: false, alsoAllows: "127.0.0.0/8") { service in
      let count = Limits.pageRows + 2
      for number in 0..<count { _ = try await service.phone(at: "http://127.9.9.\(number + 1):9/up/a") }
      let diagnosis = try await service.examineAll()
      let skipped = diagnosis.of("skipped").compactMap { $0["seen"]?.string }
      let others = count - Doctor.pushServersMaximum
      #expect(skipped.contains { $0.hasPrefix("\(others) more push servers") }, "\(skipped)")
      #expect(diagnosis.links("fault").count == Doctor.pushServersMaximum)
    }
  }

  @Test("a push server is told of as soon as it was looked at, while another is still waited for")
  func live() async throws {
    try await TestService.with(delivers: false, alsoAllows: "127.0.0.0/8") { service in
      _ = try await service.phone("/up/a")
      _ = try await service.phone(at: "https://slow.example:8443/up/a")
      let told = DispatchSemaphore(value: 0)
      let settings = DoctorSettings(
        probe: ConnectionProbe(
          resolver: { _ throws(NameResolutionError) in
            told.wait()
            return [IPAddress(parsing: "127.0.0.1")].compactMap { $0 }
          }, timeoutMilliseconds: 10_000))
      let doctor = Doctor(
        store: service.store, pipeline: service.pipeline, policy: service.policy, clock: .system,
        settings: settings, visits: DoctorVisits())
      let origin = service.pushServer.origin
      let examination = Examination(telling: { finding in
        if finding.pushServer == origin, finding.link == .tls { told.signal() }
      })
      try await doctor.examinePushServers(examination)
      // In case it was not told of: nobody waits any more.
      told.signal()
      let slow = examination.findings.first { $0.pushServer == "https://slow.example:8443" }
      #expect(slow?.link == .nameResolution && slow?.verdict == .ok, "\(examination.findings)")
    }
  }

  @Test(
    "a file of authorities that is gone is one fault, and what does not hang on it is looked at all the same")
  func authorities() async throws {
    let authority = try #require(TestAuthority.shared)
    let servers = try (0..<2).map { _ in try authority.server(.good) { _ in .status(201) } }
    defer { for server in servers { server.stop() } }
    try await TestService.with(
      delivers: false, alsoAllows: "127.0.0.0/8",
      examining: { $0.pushCAFile = "/nonexistent/wake/ca.pem" }
    ) { service in
      let origins = servers.map { "https://localhost:\($0.port)" }
      for origin in origins { _ = try await service.phone(at: "\(origin)/up/a") }
      _ = try await service.phone()
      let diagnosis = try await service.examineAll()
      #expect(diagnosis.links("fault") == ["configuration"], "\(diagnosis.text)")
      #expect(diagnosis.fix?.contains("WAKE_PUSH_CA_FILE") == true && diagnosis.fix?.contains("PEM") == true)
      #expect(diagnosis.finding("configuration")?["cause"]?.string?.contains("WAKE_PUSH_CA_FILE") == true)
      func seen(_ link: String, at origin: String) -> JSONValue? {
        diagnosis.findings.first { $0["link"]?.string == link && $0["pushServer"]?.string == origin }
      }
      for origin in origins + [service.pushServer.origin] {
        for link in ["name-resolution", "address-policy", "connection"] {
          #expect(seen(link, at: origin)?["verdict"] == "ok", "\(link) \(origin)")
        }
      }
      for origin in origins {
        for link in ["tls", "answer"] {
          #expect(seen(link, at: origin)?["seen"] == "not looked at: the configuration comes first")
        }
      }
      #expect(seen("tls", at: service.pushServer.origin)?["seen"] == "the endpoint is plain http")
      #expect(seen("answer", at: service.pushServer.origin)?["seen"] != nil)
    }
  }

  @Test("a clock that is wrong comes before the push servers that refuse for it, and is the only fault")
  func clockFirst() async throws {
    let ahead: Int64 = 86_400_000
    let strict = try StandInPushServer(rules: PushServerRules(as: .strict))
    try await TestService.with(
      .socket, clock: WallClock { WallClock.system.now() + ahead }, delivers: false,
      alsoAllows: strict.origin
    ) { service in
      let phone = try await service.phone(at: strict.origin + "/up/a", clockAhead: ahead)
      _ = try await service.send("POST", "/v1/admin/devices/\(phone.device)/test", door: .admin)
      let diagnosis = try await service.examineAll()
      #expect(diagnosis.links("fault") == ["clock"], "\(diagnosis.text)")
      let answer = diagnosis.finding("answer")?["seen"]?.string
      #expect(answer?.hasSuffix("as the clock is wrong") == true, "\(diagnosis.text)")
    }
    await strict.stop()
  }

  @Test(
    "how far a clock is off is rounded, not cut",
    arguments: [
      (6, "6 minutes ahead"), (-7, "7 minutes behind"), (119, "119 minutes ahead"), (149, "2 hours ahead"),
      (151, "3 hours ahead"), (1_439, "24 hours ahead"), (-1_439, "24 hours behind"), (4_319, "3 days ahead"),
    ])
  func clockWords(minutes: Int64, words: String) {
    let at: Int64 = 1_767_225_600_000
    // As long as a day that a slow answer makes a little shorter.
    let sighting = ClockSightings.Sighting(
      date: "Thu, 01 Jan 2026 00:00:00 GMT", origin: "https://push.example",
      at: at + minutes * 60_000 + (minutes > 0 ? -20_000 : 20_000))
    let cause = ClockCheck(sighting: sighting).timed.cause
    #expect(cause?.contains(" \(words) ") == true, "\(cause ?? "")")
  }

  @Test("a store that was moved away or replaced under the running service is named, until it is back")
  func moved() async throws {
    try await TestService.with(delivers: false) { service in
      let path = service.storeFolder.appendingPathComponent("wake.sqlite")
      let away = service.storeFolder.appendingPathComponent("away.sqlite")
      func verdict() async throws -> String? {
        let diagnosis = try await service.examineAll()
        #expect(diagnosis.links("fault").isEmpty || diagnosis.fix?.contains("put the file back") == true)
        return diagnosis.finding("store")?["verdict"]?.string
      }
      #expect(try await verdict() == "ok")
      try FileManager.default.moveItem(at: path, to: away)
      #expect(try await verdict() == "fault")
      try FileManager.default.copyItem(at: away, to: path)
      #expect(try await verdict() == "fault")
      try FileManager.default.removeItem(at: path)
      try FileManager.default.moveItem(at: away, to: path)
      #expect(try await verdict() == "ok")
    }
  }
}
