import CryptoPrimitives
import EndpointRegistry
import HTTPListener
import KindCatalogue
import PushDelivery
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WakeServer
import WebPushCrypto

@Suite("A burst to 10,000 endpoints on 100 origins, 5 % of them at fault")
struct BurstTests {
  private static let healthyOrigins = 98
  private static let perOrigin = 101
  private static let atClosedOrigin = 92
  private static let atSilentOrigin = 10

  /// What the first endpoints of every other origin are answered with.
  private static let faults: [(status: Int, outcome: AttemptOutcome)] = [
    (404, .gone), (410, .gone), (500, .server), (429, .throttled),
  ]

  /// Push servers on addresses of their own, which count what each endpoint gets.
  private final class PushServers: Sendable {
    let servers: [StandInPushServer]
    private let counts: Counts

    private final class Counts: Sendable {
      let targets = Mutex<[String: Int]>([:])
    }

    init() throws {
      let counts = Counts()
      self.counts = counts
      servers = try (1...healthyOrigins).map { number in
        let host = "127.0.1.\(number)"
        return try StandInPushServer(
          on: .tcp(host: host, port: 0),
          taking: { message in
            counts.targets.withLock { $0[host + message.target, default: 0] += 1 }
            let place = message.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return place < faults.count ? faults[place].status : 201
          })
      }
    }

    /// How often each endpoint was asked.
    var targets: [Int] { counts.targets.withLock { Array($0.values) } }

    func stop() async { for server in servers { await server.stop() } }
  }

  @Test("it finishes, nobody is asked twice, and every row says what came of it", .timeLimit(.minutes(5)))
  func burst() async throws {
    let pushServers = try PushServers()
    let silent = try RawServer { _ in .silence }
    defer { silent.stop() }
    let closed = try RawServer { _ in .status(201) }
    closed.stop()
    try await TestService.with(
      alsoAllows: "127.0.0.0/8",
      sending: {
        // Room for a machine that runs all other tests at the same time: whoever is well answers within it.
        $0.totalTimeoutMilliseconds = 5_000
        $0.connectTimeoutMilliseconds = 5_000
      }
    ) { service in
      let endpoints =
        pushServers.servers.flatMap { server in (0..<Self.perOrigin).map { "\(server.origin)/up/\($0)" } }
        + (0..<Self.atClosedOrigin).map { "http://127.0.0.1:\(closed.port)/up/\($0)" }
        + (0..<Self.atSilentOrigin).map { "http://127.0.0.1:\(silent.port)/up/\($0)" }
      #expect(endpoints.count == 10_000)
      try await Self.register(endpoints, service)
      let reply = try await service.hook(["kind": "problem"])
      #expect(reply.json["devices"] == 10_000)
      try await Self.end(of: service)

      let rows = try await service.store.attempts(AttemptFilter(), before: nil, limit: 50_000)
      let final = rows.filter { $0.outcome != .coalesced }
      #expect(final.count == 10_000 && Set(final.map(\.device)).count == 10_000)
      #expect(final.allSatisfy { $0.alertCount == 1 && $0.milliseconds != nil })
      let outcomes = final.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
      var expected: [AttemptOutcome: Int] = [
        .accepted: Self.healthyOrigins * (Self.perOrigin - Self.faults.count),
        .network: Self.atClosedOrigin + Self.atSilentOrigin,
      ]
      for fault in Self.faults { expected[fault.outcome, default: 0] += Self.healthyOrigins }
      #expect(outcomes == expected)
      #expect(
        pushServers.targets.count == Self.healthyOrigins * Self.perOrigin
          && pushServers.targets.allSatisfy { $0 == 1 })
      #expect(silent.requests.count == Self.atSilentOrigin)
      let states = try await service.store.delivery(of: service.stack.id, at: WallClock.system.now()).devices
      #expect(states[.gone] == 2 * Self.healthyOrigins)
      // A pause of a minute may be over by now.
      let failed = [AttemptOutcome.throttled, .server, .network].reduce(0) { $0 + (expected[$1] ?? 0) }
      #expect((states[.held] ?? 0) + (states[.undelivered] ?? 0) == failed)
      #expect(states[.unconfirmed] == expected[.accepted])
    }
    await pushServers.stop()
  }

  /// Devices straight into the store: it is the burst that counts.
  private static func register(_ endpoints: [String], _ service: TestService) async throws {
    let pair = try UserAgentKeyPair.generate()
    let (store, stack, now) = (service.store, service.stack.id, WallClock.system.now())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<64 {
        group.addTask {
          for index in stride(from: lane, to: endpoints.count, by: 64) {
            let code = try await store.addPairing(stack: stack, at: now, expiresAt: now + 900_000)
            let origin = endpoints[index].split(separator: "/").prefix(2).joined(separator: "//")
            _ = try await store.register(
              Registration(
                pairing: code, client: .minted(.system),
                subscription: PushSubscription(
                  endpoint: Endpoint(validatedURL: endpoints[index], origin: origin), keys: pair.keys)),
              at: now)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Waits until nobody is to be told of anything and no row is open.
  private static func end(of service: TestService) async throws {
    for _ in 0..<1_000 {
      let open = try await service.store.attempts(AttemptFilter(outcome: .unknown), before: nil, limit: 1)
      let stacks = try await service.store.stacksToNudge()
      if open.isEmpty, stacks.isEmpty { return }
      try await Task.sleep(for: .milliseconds(200))
    }
    Issue.record("the burst did not end")
  }
}
