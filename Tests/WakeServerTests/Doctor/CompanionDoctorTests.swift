import EndpointRegistry
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("A companion asks the doctor, and learns nothing of the network (B24)")
struct CompanionDoctorTests {
  private typealias Resolving = BrokenLink.Resolving

  private static let way = ["registration", "reach", "wake", "answer", "receipt"]

  /// How long it takes in these tests until nothing has come of a wake.
  private static let limit = 2_500

  /// What a companion is told of its endpoint, and how long that took.
  private func told(
    _ endpoint: (BrokenLink.Bench) throws -> String, allow: String = "127.0.0.0/8",
    resolver: @escaping Resolving = SystemResolver.resolve
  ) async throws -> (text: String, milliseconds: Int) {
    let bench = BrokenLink.Bench()
    do {
      let url = try endpoint(bench)
      var result: (String, Int)?
      try await TestService.with(
        delivers: false, alsoAllows: allow,
        sending: {
          $0.totalTimeoutMilliseconds = 1_500
          $0.connectTimeoutMilliseconds = 1_000
          $0.resolver = { name throws(NameResolutionError) in try resolver(name) }
        }, examining: { $0.unreachedMilliseconds = Self.limit }
      ) { service in
        let phone = try await service.phone(at: url)
        let start = ContinuousClock.now
        let diagnosis = try await service.examineAsCompanion(phone)
        let took = start.duration(to: .now)
        result = (diagnosis.text, Int(took / .milliseconds(1)))
      }
      await bench.end()
      return try #require(result)
    } catch {
      await bench.end()
      throw error
    }
  }

  @Test("a closed, filtered, silent, refused or nameless host all look the same, and take the same time")
  func unreached() async throws {
    let closed = try await told { "http://127.0.0.1:\(try $0.deadPort())/up/canary" }
    let others = [
      try await told { "http://127.0.0.1:\(try $0.silentPort())/up/canary" },
      try await told { "http://127.0.0.1:\(try $0.raw(.silence))/up/canary" },
      try await told { "https://127.0.0.1:\(try $0.raw(.status(201)))/up/canary" },
      try await told { try $0.hostile() + "/reset/canary" },
      try await told({ _ in "https://push.example/canary" }) { _ throws(NameResolutionError) in
        [IPAddress(parsing: "10.1.2.3")].compactMap { $0 }
      },
      try await told({ _ in "https://push.example/canary" }) { _ throws(NameResolutionError) in
        throw .noSuchName
      },
    ]
    #expect(closed.text.contains("\"link\":\"reach\",\"verdict\":\"fault\""))
    for word in [
      "127.0.0.1", "10.1.2.3", "push.example", "canary", "WAKE_", "refused the connection", "timed out",
    ] {
      #expect(!closed.text.contains(word), "\(word)")
    }
    for other in others { #expect(other.text == closed.text) }
    for other in others + [closed] {
      #expect((Self.limit..<Self.limit * 4).contains(other.milliseconds), "\(other.milliseconds)")
    }
  }

  @Test(
    "what the push server answered is told by its status, without its words",
    arguments: [
      ("/gone/canary", 410, "register a new subscription"),
      ("/unsubscribed/canary", 507, "distributor's app"),
      ("/throttled/canary", 429, "wait"), ("/other-key/canary", 403, "register a new subscription"),
      ("/oversize/canary", 413, "whoever runs the service"),
    ])
  func answered(path: String, status: Int, fix: String) async throws {
    let told = try await told { try $0.plays(.strict) + path }
    #expect(told.text.contains("\"link\":\"answer\",\"verdict\":\"fault\""), "\(told.text)")
    #expect(told.text.contains("status \(status)") && told.text.contains(fix), "\(told.text)")
    for word in ["127.0.0.1", "canary", "WAKE_", "timedatectl"] {
      #expect(!told.text.contains(word), "\(word)")
    }
  }

  @Test("a pause, and a registration without a subscription, are told as what they are")
  func ownMatters() async throws {
    try await TestService.with(delivers: false) { service in
      let companion = try Companion()
      let bare = try service.phone(
        companion, try await service.register(["client": .string(companion.client)]))
      #expect(try await service.examineAsCompanion(bare).links("fault") == ["registration"])
      let phone = try await service.phone("/up/a")
      service.pushServer.answer("/up/a", with: 429)
      #expect(try await service.examineAsCompanion(phone).links("fault") == ["answer"])
      let held = try await service.examineAsCompanion(phone)
      #expect(held.links("fault") == ["wake"] && held.fix?.contains("wait until then") == true)
      #expect(held.links("skipped") == ["reach", "answer", "receipt"])
      for diagnosis in [try await service.examineAsCompanion(bare), held] {
        #expect(diagnosis.findings.compactMap { $0["link"]?.string } == Self.way)
      }
    }
  }

  @Test("where another wake is under way to a push server that is silent, the time is the same")
  func underWay() async throws {
    let silent = try RawServer { _ in .silence }
    defer { silent.stop() }
    try await TestService.with(
      delivers: false, alsoAllows: "127.0.0.0/8",
      sending: { $0.totalTimeoutMilliseconds = 60_000 }, examining: { $0.unreachedMilliseconds = 1_000 }
    ) { service in
      let phone = try await service.phone(at: "http://127.0.0.1:\(silent.port)/up/canary")
      for _ in 0..<2 {
        let start = ContinuousClock.now
        let diagnosis = try await service.examineAsCompanion(phone)
        #expect(diagnosis.links("fault") == ["reach"], "\(diagnosis.text)")
        #expect(start.duration(to: .now) < .seconds(30))
      }
    }
  }

  @Test("where no wake can be made every link is named, and the operator's settings are never told")
  func unavailable() async throws {
    try await TestService.with(
      delivers: false, examining: { $0.inForce = ["publicURL": "https://canary.example"] },
      waking: { FlakyStore($0, failing: [.beginAttempts]) }
    ) { service in
      let phone = try await service.phone()
      let broken = try await service.examineAsCompanion(phone)
      #expect(broken.links("fault") == ["wake"] && broken.links("ok") == ["registration"])
      #expect(broken.findings.compactMap { $0["link"]?.string } == Self.way)
      let operators = try await service.examine(phone.device)
      #expect(operators.document["configuration"]?["publicURL"] == "https://canary.example")
      for diagnosis in [broken, try await service.examineAsCompanion(phone)] {
        #expect(diagnosis.document["configuration"] == nil)
        #expect(!diagnosis.text.contains("configuration") && !diagnosis.text.contains("canary"))
      }
    }
  }

  @Test("a receipt that does not come is the phone's own matter")
  func deaf() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      let diagnosis = try await service.examineAsCompanion(phone, wait: 1)
      #expect(diagnosis.links("fault") == ["receipt"])
      #expect(diagnosis.fix?.contains("battery saving") == true)
    }
  }
}
