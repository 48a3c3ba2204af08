import EndpointRegistry
import HTTPListener
import PushDelivery
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("Requests without a valid token")
struct FailedAuthenticationTests {
  private static let unknown = "wkd_\(String(repeating: "A", count: 43))"

  /// What a request of `peer` is answered.
  private static func ask(
    _ service: TestService, token: String?, from peer: String?, forwardedFor: String? = nil,
    door: Door = .everyone
  ) async -> Reply {
    var headers: [(name: String, value: String)] = []
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    if let forwardedFor { headers.append(("X-Forwarded-For", forwardedFor)) }
    let path = door == .everyone ? service.path : "/v1/admin/stacks"
    let response = await service.application.respond(
      to: HTTPRequest(method: "GET", target: path, headers: headers, peer: peer), through: door)
    return Reply(status: response.status, headers: response.headers, body: response.body)
  }

  @Test("30 in a burst are answered 401, then one a minute, the others 429 with what to wait for")
  func burst() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      func ask(_ token: String? = Self.unknown) async -> Reply {
        await Self.ask(service, token: token, from: "198.51.100.1")
      }
      for number in 0..<30 {
        let reply = await ask([nil, Self.unknown, "nonsense"][number % 3])
        #expect(reply.status == 401 && reply.header("WWW-Authenticate") == "Bearer")
      }
      for _ in 0..<100 {
        let reply = await ask()
        #expect(reply.status == 429 && reply.code == "rate-limited" && reply.header("Retry-After") == "60")
        #expect(reply.header("Content-Type") == "application/problem+json")
      }
      for _ in 0..<3 {
        clock.pass(59_999)
        #expect(await ask().header("Retry-After") == "1")
        clock.pass(1)
        #expect(await ask().status == 401)
        #expect(await ask().status == 429)
      }
      // After half an hour without, all have come back.
      clock.pass(30 * 60_000)
      for _ in 0..<30 { #expect(await ask().status == 401) }
      #expect(await ask().status == 429)
    }
  }

  @Test("a right token is honoured however many wrong ones come from its address, among them or after")
  func honoured() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      let phone = try await service.phone()
      for number in 0..<200 {
        let wrong = await Self.ask(service, token: Self.unknown, from: "198.51.100.1")
        #expect(wrong.status == (number < 30 ? 401 : 429))
        let token = number.isMultiple(of: 2) ? phone.token : service.hookToken.text
        #expect(await Self.ask(service, token: token, from: "198.51.100.1").status == 200)
      }
      try await service.store.removeDevice(#require(DeviceID(phone.device)), at: clock.now)
      // Of a token that was good the answer is what it was: 410, not a failure.
      for _ in 0..<40 {
        #expect(await Self.ask(service, token: phone.token, from: "198.51.100.1").status == 410)
      }
    }
  }

  /// Two addresses, and whether they are one to the limit.
  static let pairs: [(String?, String?, Bool)] = [
    ("198.51.100.1", "198.51.100.2", false), ("198.51.100.1", "::ffff:198.51.100.1", true),
    ("::ffff:198.51.100.1", "::ffff:198.51.100.2", false),
    ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    (nil, nil, true), (nil, "198.51.100.1", false), ("0.0.0.0", "::", false),
  ]

  @Test("an IPv4 address is held by itself, one of IPv6 with its /64, a Unix socket as one", arguments: pairs)
  func networks(first: String?, second: String?, isOne: Bool) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      for _ in 0..<30 { #expect(await Self.ask(service, token: nil, from: first).status == 401) }
      #expect(await Self.ask(service, token: nil, from: first).status == 429)
      #expect(await Self.ask(service, token: nil, from: second).status == (isOne ? 429 : 401))
    }
  }

  @Test("behind a proxy that is believed it is the client's address that is held")
  func proxy() async throws {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": "/nowhere/wake", "WAKE_TRUSTED_PROXIES": "10.0.0.1"])
    let proxies = try Configuration(sources, environment: [:], workingFolder: "/here").trustedProxies
    let clock = TestClock()
    try await TestService.with(
      clock: clock.wall, steady: clock.steady, delivers: false, proxies: proxies
    ) { service in
      func ask(_ peer: String, _ client: String) async -> Int {
        await Self.ask(service, token: nil, from: peer, forwardedFor: client).status
      }
      for _ in 0..<30 { #expect(await ask("10.0.0.1", "198.51.100.1") == 401) }
      #expect(await ask("10.0.0.1", "198.51.100.1") == 429)
      #expect(await ask("10.0.0.1", "198.51.100.2") == 401)
      // Nobody else gets out of it, or somebody into it, by writing the field.
      for number in 0..<30 { #expect(await ask("203.0.113.9", "198.51.100.\(number)") == 401) }
      #expect(await ask("203.0.113.9", "198.51.100.77") == 429)
      #expect(await ask("10.0.0.1", "198.51.100.3") == 401)
    }
  }

  @Test("the admin listener by TCP is held too, the socket in the state folder needs no token")
  func admin() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      for number in 0..<60 {
        let reply = await Self.ask(service, token: nil, from: "198.51.100.1", door: .adminByToken)
        #expect(reply.status == (number < 30 ? 401 : 429))
        #expect(await Self.ask(service, token: nil, from: nil, door: .admin).status == 200)
      }
    }
  }

  @Test(
    "a jump of the clock changes nothing", arguments: [-86_400_000, 86_400_000, 315_360_000_000] as [Int64])
  func jump(milliseconds: Int64) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, steady: clock.steady, delivers: false) { service in
      for _ in 0..<30 { _ = await Self.ask(service, token: nil, from: "198.51.100.1") }
      clock.now += milliseconds
      let reply = await Self.ask(service, token: nil, from: "198.51.100.1")
      #expect(reply.status == 429 && reply.header("Retry-After") == "60")
      clock.pass(60_000)
      #expect(await Self.ask(service, token: nil, from: "198.51.100.1").status == 401)
    }
  }

  @Test("they make one line a second, with the number of those that it stands for and how it was answered")
  func lines() {
    let lines = Mutex<[String]>([])
    let clock = TestClock()
    let failures = FailedAuthentications(
      log: Log(from: .info) { line in lines.withLock { $0.append(line) } }, steady: clock.steady)
    let client = IPAddress(parsing: "198.51.100.1")
    for _ in 0..<3_000 {
      _ = failures.note(client: client)
      clock.pass(1)
    }
    clock.now = 5
    _ = failures.note(client: nil)
    let told = lines.withLock { $0 }
    #expect(told.count == 4)
    #expect(told[0].hasSuffix("from 198.51.100.1: 401") && told[1].contains(": 429 (999 more"))
    #expect(told[3].contains("a Unix socket: 401 (999 more"))
  }
}
