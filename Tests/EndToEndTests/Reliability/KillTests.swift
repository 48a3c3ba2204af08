import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

/// The tests of reliability, one after the other: each has the machine to itself, as far as other suites let it.
@Suite("Reliability", .serialized)
enum Reliability {}

extension Reliability {
  @Suite("kill -9 under load")
  struct KillTests {
    private static let kills = Scale.of(full: 200, small: 8)
    private static let crowd = Scale.of(full: 100_000, small: 400)
    /// A start with that many devices is to take no longer.
    private static let readyMilliseconds = 1_000

    /// What has to be in the store from now on.
    private struct Ledger {
      var phones: [Registered] = []
      var ended: Set<String> = []
      /// Devices that were being revoked or removed when the server was killed: either may be.
      var doubtful: Set<String> = []
      /// Devices of which it was seen that their endpoint is erased.
      var erased: Set<String> = []
    }

    @Test("no acknowledged registration, revocation or alert is lost, and no erased endpoint comes back")
    func kills() async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      try await Crowd.add(Self.crowd, to: state)
      let pushServer = try StandInPushServer(taking: { $0.target.hasPrefix("/gone/") ? 410 : 201 })
      do {
        try await Self.kill(state, pushServer, memory)
      } catch {
        await pushServer.stop()
        throw error
      }
      await pushServer.stop()
    }

    private static func kill(_ state: TemporaryFolder, _ pushServer: StandInPushServer, _ memory: MemoryLimit)
      async throws
    {
      let settings = ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "1", "WAKE_RATE_HOOK": "off"]
      var server = try await Server(state, settings, launcher: memory.launcher)
      do {
        var cores: [(id: String, hook: String)] = []
        for name in ["home", "office"] {
          let added = try await server.json("stack", "add", name)
          cores.append(
            (try #require(added["stack"]?.string), try #require(added["hookToken"]?.string)))
        }
        for number in 0..<3 {
          _ = try await server.register(cores[0].id, endpoint: "\(pushServer.origin)/up/core-\(number)")
        }
        let home = try #require(try await server.json("stack", "add", "phones")["stack"]?.string)
        var (ledger, starts, total) = (Ledger(), [Duration](), 0)
        for round in 1...kills {
          let load = KillLoad(on: server, pushServer: pushServer.origin)
          let living = ledger.phones.filter { !ledger.doubtful.contains($0.device) }
          let (raisers, parting) = (cores, Array(living.suffix(24)))
          ledger.doubtful.formUnion(parting.map(\.device))
          async let running = load.run(
            alertsOf: raisers, registeringWith: home, round: round, revoking: Array(parting.prefix(12)),
            removing: Array(parting.dropFirst(12)))
          // Something is under way, and then the end comes at any moment.
          _ = try await eventually(within: .seconds(20)) { load.answered >= 20 }
          try await Task.sleep(for: .microseconds(Int.random(in: 0...40_000)))
          ledger.erased.formUnion(try erased(state))
          server.process.signal(SIGKILL)
          _ = await server.process.exitCode()
          let acknowledged = await running
          total += load.answered
          ledger.phones += acknowledged.registered
          ledger.ended.formUnion(acknowledged.ended)

          let begin = ContinuousClock.now
          server = try await Server(state, settings, launcher: memory.launcher)
          #expect(try await server.ask("GET", "/readyz", token: "").status == 200)
          starts.append(begin.duration(to: .now))
          try check(ledger, acknowledged.alerts, on: server)
        }
        try await checkTokens(ledger, on: server)
        #expect(total > 20 * kills / 2 && !ledger.ended.isEmpty && !ledger.erased.isEmpty)
        Figures.note("kill -9 under load", "\(kills) times, \(total) acknowledged changes, 0 lost")
        Figures.note("ready after kill -9, \(crowd) devices", milliseconds: starts)
        if Scale.isFull { #expect(starts.max() ?? .zero < .milliseconds(readyMilliseconds)) }
        try memory.expectKept(by: server, during: "after \(kills) kills")
      } catch {
        _ = await server.stop()
        throw error
      }
      #expect(await server.stop() == 0)
    }

    private static func erased(_ state: TemporaryFolder) throws -> [String] {
      try StoreReading.texts(
        """
        SELECT id FROM devices d WHERE gone_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.device = d.serial)
        """, in: state.path("state/wake.sqlite"))
    }

    private static func check(_ ledger: Ledger, _ alerts: Set<String>, on server: Server) throws {
      let lost = alerts.subtracting(try server.keptAlerts())
      #expect(lost.isEmpty, "\(lost.count) alerts lost")
      let devices = Set(
        try StoreReading.texts("SELECT id FROM devices", in: server.state.path("state/wake.sqlite")))
      let missing = Set(ledger.phones.map(\.device)).subtracting(ledger.doubtful).subtracting(devices)
      #expect(missing.isEmpty, "\(missing.count) registrations lost")
      #expect(ledger.ended.isDisjoint(with: devices), "a revoked device is back")
      let back = ledger.erased.subtracting(try erased(server.state))
        .intersection(devices)
      #expect(back.isEmpty, "\(back.count) erased endpoints are back")
      // No phone of the load comes back with the endpoint that it had.
      let kept = try StoreReading.texts(
        """
        SELECT DISTINCT device FROM attempts WHERE outcome = 'gone' AND device IN
          (SELECT id FROM devices d JOIN subscriptions s ON s.device = d.serial)
        """, in: server.state.path("state/wake.sqlite"))
      #expect(kept.isEmpty, "\(kept.count) endpoints are known to be gone, and there")
    }

    /// What the tokens of the last phones are answered says the same.
    private static func checkTokens(_ ledger: Ledger, on server: Server) async throws {
      for phone in ledger.phones.suffix(200) where ledger.ended.contains(phone.device) {
        let reply = try await server.ask(
          "GET", "/v1/stacks/\(phone.stack)/devices/\(phone.device)", token: phone.token)
        #expect(reply.status == 410)
      }
    }
  }
}
