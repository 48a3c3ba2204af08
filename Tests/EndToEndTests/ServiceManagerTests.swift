import Foundation
import Glibc
import HTTPClient
import Testing

@Suite("What systemd is told")
struct ServiceManagerTests {
  /// Runs `body` with a server that has a service manager to tell.
  private func with(
    _ settings: [String: String] = [:], isAbstract: Bool = false,
    body: (Server, NotifySocket) async throws -> Void
  ) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let manager = try NotifySocket(isAbstract ? "@wake-\(UUID().uuidString)" : state.path("notify"))
    let server = try await Server(state, ["NOTIFY_SOCKET": manager.name].merging(settings) { $1 })
    do { try await body(server, manager) } catch {
      _ = await server.stop()
      throw error
    }
  }

  @Test(
    "it is told that the service is ready once it answers, and that it ends", arguments: [false, true])
  func readiness(isAbstract: Bool) async throws {
    try await with(isAbstract: isAbstract) { server, manager in
      let ready = try await manager.next()
      #expect(ready["READY"] == "1")
      #expect(ready["STATUS"]?.contains(server.address) == true)
      #expect(try await server.ask("GET", "/readyz", token: "").status == 200)
      server.process.signal(SIGTERM)
      let stopping = try await manager.next()
      #expect(stopping["STOPPING"] == "1")
      #expect(await server.process.exitCode() == 0)
    }
  }

  @Test("a reload is told with its time, and is over when the service says that it is ready again")
  func reload() async throws {
    try await with { server, manager in
      _ = try await manager.next()
      let before = try monotonicMicroseconds()
      server.process.signal(SIGHUP)
      let reloading = try await manager.next()
      #expect(reloading["RELOADING"] == "1")
      let told = reloading["MONOTONIC_USEC"].flatMap { Int64($0) } ?? 0
      let after = try monotonicMicroseconds()
      #expect((before...after).contains(told))
      #expect(try await manager.next()["READY"] == "1")
      #expect(await server.stop() == 0)
    }
  }

  private func monotonicMicroseconds() throws -> Int64 {
    var time = timespec()
    try #require(clock_gettime(CLOCK_MONOTONIC, &time) == 0)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  @Test("a watchdog hears from the service again and again, and only where it is meant for this process")
  func watchdog() async throws {
    try await with(["WATCHDOG_USEC": "200000"]) { server, manager in
      for _ in 0..<3 { _ = try await manager.next("WATCHDOG") }
      #expect(await server.stop() == 0)
    }
    try await with(["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"]) { server, manager in
      let ready = try await manager.next()
      #expect(ready["READY"] == "1")
      // Hundreds of signs of life would have come before the answer to this.
      let answer = try await server.ask("GET", "/readyz", token: "")
      #expect(answer.status == 200)
      server.process.signal(SIGTERM)
      #expect(try await manager.next()["STOPPING"] == "1")
      #expect(await server.process.exitCode() == 0)
    }
  }

  @Test("a child of the service cannot speak in its name")
  func children() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let seen = state.path("seen")
    let key = "wake-service-key-1 \(String(repeating: "A", count: 43))"
    let manager = try NotifySocket(state.path("notify"))
    let server = try await Server(
      state,
      [
        "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "60000000",
        "WAKE_SERVICE_KEY_COMMAND": "env > '\(seen)'; echo '\(key)'",
      ])
    #expect(await server.stop() == 0)
    let told = try state.text("seen")
    #expect(told.contains("WAKE_STATE_DIR=") && !told.contains("NOTIFY_SOCKET") && !told.contains("WATCHDOG"))
  }

  @Test(
    "a service whose manager is not there, or is none, serves all the same",
    arguments: ["/nowhere/notify", "vsock:2:1", "notify", "@"])
  func nobody(name: String) async throws {
    try await Server.with(["NOTIFY_SOCKET": name]) { server in
      let answer = try await server.ask("GET", "/readyz", token: "")
      #expect(answer.status == 200)
    }
  }
}
