import CryptoPrimitives
import EndpointRegistry
import Foundation
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

  @Test("push servers beyond the bound are counted")
  func manyPushServers() async throws {
    try await TestService.with(delivers: false, alsoAllows: "127.0.0.0/8") { service in
      for number in 0..<Doctor.pushServersMaximum + 2 {
        _ = try await service.phone(at: "http://127.9.9.\(number + 1):9/up/a")
      }
      let skipped = try await service.examineAll().of("skipped").compactMap { $0["seen"]?.string }
      #expect(skipped.contains { $0.hasPrefix("2 more push servers") }, "\(skipped)")
    }
  }
}
