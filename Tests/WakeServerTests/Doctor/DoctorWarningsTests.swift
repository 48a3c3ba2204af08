import CryptoPrimitives
import EndpointRegistry
import HTTPClient
import KindCatalogue
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing

@testable import WakeServer

@Suite("What works and should be looked at is warned of")
struct DoctorWarningsTests {
  private static let all: JSONValue = .array(Kind.allCases.map { .string($0.name) })

  private static let mutes: [(JSONValue, String)] = [
    (all, "muted for every kind"), (["backup", "problem"], "muted for problem, backup"),
  ]

  private static func warnings(_ diagnosis: Diagnosis, _ link: String) -> [JSONValue] {
    diagnosis.of("warning").filter { $0["link"]?.string == link }
  }

  @Test(
    "a phone that is muted is warned of, for which kinds, with what to type",
    arguments: mutes)
  func muted(kinds: JSONValue, seen: String) async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let phone = try await service.phone()
      #expect(try await service.examine(phone.device).links("warning") == ["public-url"])
      #expect(try await service.patch(phone, ["muted": kinds]).status == 200)
      let diagnosis = try await service.examine(phone.device)
      #expect(diagnosis.of("fault").isEmpty && diagnosis.verdict == "warning")
      let warning = try #require(Self.warnings(diagnosis, "registration").first, "\(diagnosis.text)")
      #expect(warning["seen"]?.string?.hasPrefix(seen) == true, "\(warning)")
      #expect(warning["fix"]?.string?.contains("wake device mute \(phone.device) none") == true)
      let told = try await service.examineAsCompanion(phone)
      #expect(told.links("warning") == ["registration"] && told.findings.count == 5, "\(told.text)")
      #expect(told.text.contains(seen) && !told.text.contains("wake device mute"))
    }
  }

  @Test("without a device, who is muted for every kind is named, and who is for some is not")
  func mutedForAll() async throws {
    try await TestService.with(delivers: false) { service in
      let (deaf, other) = (try await service.phone("/up/a"), try await service.phone("/up/b"))
      #expect(try await service.patch(deaf, ["muted": Self.all]).status == 200)
      #expect(try await service.patch(other, ["muted": ["backup"]]).status == 200)
      let devices = Self.warnings(try await service.examineAll(), "devices")
      #expect(devices.map { $0["device"]?.string } == [deaf.device])
      #expect(devices.first?["seen"]?.string?.hasPrefix("muted for every kind") == true)
    }
  }

  @Test("a stack that keeps kinds quiet, or has a longer window than is usual, is warned of")
  func rules() async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let phone = try await service.phone()
      let stack = service.stack.id
      _ = try await service.store.setQuiet([.completion], of: stack)
      _ = try await service.store.setWindow(Configuration.defaultWindowSeconds, of: stack)
      func fixes() async throws -> [String] {
        Self.warnings(try await service.examine(phone.device), "registration").compactMap {
          $0["fix"]?.string
        }
      }
      let quiet = "if that is not meant: wake stack set \(stack) --quiet none"
      #expect(try await fixes() == [quiet])
      _ = try await service.store.setWindow(Configuration.defaultWindowSeconds + 1, of: stack)
      #expect(try await fixes() == [quiet, "if that is not meant: wake stack set \(stack) --window SECONDS"])
    }
  }

  @Test(
    "a success with a web page is none of a push server's, and is warned of",
    arguments: [
      ("<html>Welcome</html>", "warning"), ("\n <!DOCTYPE HTML>", "warning"), ("{}", "ok"), ("", "ok"),
    ])
  func page(body: String, verdict: String) async throws {
    let server = try RawServer { _ in .status(200, body: body) }
    defer { server.stop() }
    try await TestService.with(delivers: false, alsoAllows: "127.0.0.0/8") { service in
      let phone = try await service.phone(at: "http://127.0.0.1:\(server.port)/up/canary")
      let answer = try await service.examine(phone.device).finding("answer")
      #expect(answer?["verdict"]?.string == verdict, "\(answer ?? .null)")
    }
  }

  @Test("where no receipt is waited for it is said that nobody looked whether the phone got the wake")
  func unwaited() async throws {
    try await TestService.with(delivers: false) { service in
      let receipt = try await service.examine(try await service.phone().device).finding("receipt")
      #expect(receipt?["verdict"] == "skipped")
      #expect(receipt?["seen"] == "not waited for: whether the phone got the wake was not looked at")
    }
  }

  @Test("plain http is warned of with the address that it has to be afterwards")
  func plain() {
    let finding = CertificateCheck(origin: "http://192.0.2.7:8090", clock: .system)
      .finding(shown: nil, pin: nil, isSecure: false)
    #expect(finding.verdict == .warning)
    #expect(finding.fix?.contains("set WAKE_PUBLIC_URL to https://192.0.2.7:8090") == true, "\(finding)")
  }

  @Test("a certificate is not judged where the public URL is at fault")
  func oneFix() async throws {
    let server = try RawServer { _ in .status(502) }
    defer { server.stop() }
    try await TestService.with(
      delivers: false,
      examining: {
        $0.publicURL = { "http://wake.example:\(server.port)" }
        $0.probe = ConnectionProbe(resolver: { _ throws(NameResolutionError) in
          [IPAddress(parsing: "127.0.0.1")].compactMap { $0 }
        })
      }
    ) { service in
      let diagnosis = try await service.examineAll()
      #expect(diagnosis.finding("public-url")?["verdict"] == "fault", "\(diagnosis.text)")
      #expect(diagnosis.finding("certificate")?["verdict"] == "skipped", "\(diagnosis.text)")
    }
  }

  @Test(
    "an address that leads elsewhere is told from a login",
    arguments: answers)
  func detours(status: Int, location: String?, detour: PublicURLDetour?) {
    let headers = location.map { [(name: "Location", value: $0)] } ?? []
    #expect(PublicURLDetour(of: HTTPExchange(status: status, headers: headers, body: [])) == detour)
  }
  private static let answers: [(Int, String?, PublicURLDetour?)] = [
    (301, "https://wake.example/healthz", .moved("https://wake.example")),
    (307, "https://wake.example:8443/wake/healthz?visit=a#b", .moved("https://wake.example:8443/wake")),
    (302, "https://wake.example/login", .login(302)), (302, "/healthz", .login(302)), (302, nil, nil),
    (401, nil, .login(401)), (403, nil, .login(403)), (404, nil, nil), (502, nil, nil),
  ]

  @Test("a device that was revoked is told from one that never was, and is to be paired again")
  func revoked() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      let path = "/v1/admin/devices/\(phone.device)"
      #expect(try await service.send("DELETE", path, door: .admin).status == 204)
      let reply = try await service.send("POST", "\(path)/doctor", door: .admin)
      #expect(reply.status == 410 && reply.code == "gone")
      #expect(reply.json["detail"]?.string?.contains("revoked") == true)
      #expect(reply.json["detail"]?.string?.contains("wake pair STACK") == true)
      let unknown = "/v1/admin/devices/\(String(repeating: "a", count: 26))/doctor"
      #expect(try await service.send("POST", unknown, door: .admin).status == 404)
    }
  }

  @Test(
    "of an endpoint that is gone by a 404 it is said that a proxy may have said so",
    arguments: [(404, true), (410, false)])
  func gone(status: Int, mayBeOfProxy: Bool) async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone("/up/a")
      service.pushServer.answer("/up/a", with: status)
      _ = try await service.examine(phone.device)
      let finding = try await service.examine(phone.device).finding("registration")
      #expect(finding?["verdict"] == "fault")
      #expect(finding?["cause"]?.string?.contains("proxy in front") == mayBeOfProxy, "\(finding ?? .null)")
    }
  }

  @Test("a wait that is malformed takes none of a companion's examinations")
  func malformedWait() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      let phone = try await service.phone()
      for _ in 0..<7 {
        let path = "\(service.path(of: phone))/doctor?wait=x"
        #expect(try await service.send("POST", path, token: phone.token).status == 400)
      }
      for _ in 0..<6 { #expect(try await service.examineAsCompanion(phone).findings.count == 5) }
    }
  }
}
