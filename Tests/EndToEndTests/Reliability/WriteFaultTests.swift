import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

extension Reliability {
  @Suite("A disk that fails at one write, or at one sync")
  struct WriteFaultTests {
    /// How SQLite writes and syncs, and how many of its calls are tried: together the first 200.
    private static let calls = [(name: "pwrite64", count: 170), (name: "fdatasync", count: 30)]
    /// In the small run every so-manieth is tried.
    private static let step = Scale.of(full: 1, small: 45)
    private static let errors = ["EIO", "ENOSPC"]
    /// Servers at the same time: most of what they do is to wait for the disk.
    private static let atOnce = 4
    private static let operations = 14
    /// A push server that refuses every connection, so that nothing waits for it.
    private static let nowhere = "http://127.0.0.1:1"
    private static let settings = ["WAKE_PUSH_ALLOW": nowhere]
    /// How often a client asks again.
    private static let tries = 20

    @Test(
      "at each of the first 200 by EIO and by ENOSPC: nothing acknowledged is lost, and a repeat gives one row",
      .enabled(Comment(rawValue: Tools.noStrace)) { await Tools.canTrace }, arguments: errors)
    func each(error: String) async throws {
      let first = 1 + (error == "EIO" ? 0 : Self.step / 2)
      let faults = Self.calls.flatMap { call in
        stride(from: first, through: call.count, by: Self.step).map { (call.name, $0) }
      }
      let found = try await withThrowingTaskGroup(of: [Told].self) { group in
        for worker in 0..<Self.atOnce {
          group.addTask {
            var found: [Told] = []
            for index in stride(from: worker, to: faults.count, by: Self.atOnce) {
              found.append(try await Self.run(faults[index].0, faults[index].1, error))
            }
            return found
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let (runs, hits) = (found.count, found.count { $0.wasHit })
      let refused = found.reduce(0) { $0 + $1.refused }
      Figures.note(
        "writes and syncs that failed by \(error)", "\(hits) of \(runs), 0 acknowledged changes lost")
      MemoryLimit.note("each of these", found.map(\.mebibytes).max() ?? 0)
      #expect(hits > runs / 2 && refused > 0, "\(hits) of \(runs) hit, \(refused) requests refused")
    }

    /// What clients were told.
    private struct Told: Sendable {
      var wasHit = false
      var refused = 0
      /// The most resident memory of the server.
      var mebibytes = 0
      var alerts: [String: String] = [:]
      var devices: [String: String] = [:]
      var ended: Set<String> = []
    }

    private static func run(_ call: String, _ number: Int, _ error: String) async throws -> Told {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      let what = "\(call) \(number) \(error)"
      let first = try await Server(state, settings)
      let added = try await first.json("stack", "add", "home")
      let (stack, hook) = (
        try #require(added["stack"]?.string), try #require(added["hookToken"]?.string)
      )
      let old = try await first.register(stack, endpoint: "\(nowhere)/old")
      var codes: [String] = []
      for _ in 0..<operations { codes.append(try await first.code(stack)) }
      #expect(await first.stop() == 0)

      var told = Told()
      // Only what concerns the store's files: sockets are written by other calls, and the log's file is not ours to fail.
      let store = state.path("state/wake.sqlite")
      let launcher =
        [Tools.strace] + Tools.withoutLeakSearch + [
          "-D", "-f", "-qq", "-o", state.path("trace"), "-P", store, "-P", "\(store)-wal", "-P",
          "\(store)-shm", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(number)",
        ]
      // One that meets the fault before it listens may say so and leave.
      var started: Server?
      do { started = try await Server(state, settings, launcher: memory.launcher + launcher) } catch let ended
        as Server.EndedAtOnce
      {
        #expect(ended.said.contains("wake: "), "\(what): \(ended.said)")
      }
      if let server = started {
        do {
          try await work(stack, hook, old, codes, on: server, &told)
          told.mebibytes = try memory.expectKept(by: server, what)
        } catch {
          _ = await server.stop()
          throw error
        }
        let ended = await server.stop()
        #expect(ended == 0, "\(what)")
      }
      told.wasHit = try state.text("trace").contains("(INJECTED)")

      let second = try await Server(state, settings)
      do {
        try await check(told, stack, hook, old, on: second, what)
      } catch {
        _ = await second.stop()
        throw error
      }
      #expect(await second.stop() == 0)
      return told
    }

    /// Alerts, registrations, and the end of one: each is asked for until it is acknowledged.
    private static func work(
      _ stack: String, _ hook: String, _ old: Registered, _ codes: [String], on server: Server,
      _ told: inout Told
    ) async throws {
      for index in 0..<operations {
        let alert = try await insist(&told) {
          try await server.ask(
            "POST", "/v1/stacks/\(stack)/alerts", token: hook,
            json: ["kind": "problem", "ref": .string("\(index)"), "moment": "onset"])
        }
        told.alerts["\(index)"] = try #require(alert["id"]?.string)
        let companion = try Companion()
        let device = try await insist(&told) {
          try await server.ask(
            "POST", "/v1/stacks/\(stack)/devices", token: codes[index],
            json: [
              "client": .string(companion.client), "keys": companion.keys,
              "endpoint": .string("\(nowhere)/\(index)"),
            ])
        }
        told.devices["\(index)"] = try #require(device["device"]?.string)
        if index == operations / 2 {
          _ = try await insist(&told) {
            let reply = try await server.ask(
              "DELETE", "/v1/stacks/\(stack)/devices/\(old.device)", token: old.token)
            // A repeat of what was done after all.
            return reply
          }
          told.ended.insert(old.device)
        }
      }
    }

    /// Asks until it is done; what failed has to be a failure of the server's, and told as such.
    private static func insist(
      _ told: inout Told, _ request: () async throws -> HTTPExchange
    ) async throws -> JSONValue {
      for _ in 0..<tries {
        let reply = try await request()
        if [200, 201, 202, 204, 410].contains(reply.status) { return reply.json }
        told.refused += 1
        #expect([500, 503, 507].contains(reply.status), "\(reply.status): \(reply.json.text)")
        #expect(reply.header("Content-Type") == "application/problem+json")
      }
      throw Stubborn()
    }

    struct Stubborn: Error {}

    private static func check(
      _ told: Told, _ stack: String, _ hook: String, _ old: Registered, on server: Server, _ what: String
    ) async throws {
      let store = server.state.path("state/wake.sqlite")
      let alerts = try StoreReading.texts(
        "SELECT epoch || '-' || number FROM alerts ORDER BY number", in: store)
      #expect(alerts.count == told.alerts.count, "\(what): a row for each alert, and no more")
      #expect(Set(alerts) == Set(told.alerts.values), "\(what)")
      for (ref, id) in told.alerts {
        let again = try await server.ask(
          "POST", "/v1/stacks/\(stack)/alerts", token: hook,
          json: ["kind": "problem", "ref": .string(ref), "moment": "onset"])
        #expect(again.status == 200 && again.json["id"]?.string == id, "\(what): alert \(ref) is not known")
      }
      let devices = try StoreReading.texts("SELECT id FROM devices", in: store)
      let expected = Set(told.devices.values).union(told.ended.isEmpty ? [old.device] : [])
      #expect(devices.count == expected.count && Set(devices) == expected, "\(what)")
      let whole = try StoreReading.texts("PRAGMA integrity_check", in: store)
      #expect(whole == ["ok"], "\(what)")
    }
  }
}
