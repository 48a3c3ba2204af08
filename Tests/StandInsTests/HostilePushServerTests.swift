import Foundation
import PushDelivery
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WebPushCrypto

@Suite("The hostile push server, against the sender of the service")
struct HostilePushServerTests {
  /// The sender's ten seconds, shortened: to less than the 2.8 s after which a trickle's status is there.
  private static let timeoutMilliseconds = 1_000 * Sanitizer.timeFactor

  private func withSender(
    to origin: String, _ body: (PushSender, AddressPolicy) async throws -> Void
  ) async throws {
    let policy = AddressPolicy(allow: try PushAllowList(parsing: origin), ownListeners: .none)
    var configuration = PushSenderConfiguration(nowMilliseconds: { SamplePush.now * 1_000 })
    configuration.totalTimeoutMilliseconds = Self.timeoutMilliseconds
    let sender = try PushSender(policy: policy, configuration: configuration)
    do {
      try await body(sender, policy)
    } catch {
      await sender.shutdown()
      throw error
    }
    await sender.shutdown()
  }

  private func message(to url: String, _ policy: AddressPolicy) throws -> WakeMessage {
    WakeMessage(
      endpoint: try policy.endpoint(from: url), topic: Topic(secret: Array(0..<32)), ttlSeconds: 86_400,
      authorization: "vapid t=header.claims.signature, k=publickey", body: Array(0...255),
      endpointDigest: Array(url.utf8))
  }

  /// What each fault comes to. A status that was received is what counts, whatever follows it.
  static let outcomes: [(HostileFault, PushOutcome)] = [
    (.silent, .network), (.trickle, .network), (.stall, .accepted), (.endlessBody, .accepted),
    (.endlessHeaders, .accepted), (.gzipBomb, .accepted), (.hintFlood, .network),
    (.redirectLoop, .redirected), (.garbage, .network), (.goaway, .network), (.cut, .accepted),
    (.reset, .network), (.earlyClose, .network), (.earlyAnswer, .accepted),
  ]

  @Test("every fault has its outcome in time, and leaves no connection behind", arguments: outcomes)
  func fault(_ fault: HostileFault, outcome: PushOutcome) async throws {
    let server = try HostilePushServer(rules: PushServerRules(as: .hostile, checks: false))
    try await withSender(to: server.origin) { sender, policy in
      let start = ContinuousClock.now
      let answer = await sender.send(try message(to: "\(server.origin)/\(fault.rawValue)-1", policy))
      #expect(answer.outcome == outcome, "\(answer)")
      // Twice the time: the machine may be busy. Without a bound it would be the server's minute.
      #expect(ContinuousClock.now - start < .milliseconds(20 * Self.timeoutMilliseconds))
      let healthy = await sender.send(try message(to: "\(server.origin)/up/phone", policy))
      #expect(healthy.outcome == .accepted, "\(healthy)")
    }
    // The sender is gone: the server notices.
    let end = ContinuousClock.now + .seconds(20)
    while server.connections > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    #expect(server.connections == 0)
    await server.stop()
  }

  @Test("the table above has every fault")
  func completeness() {
    #expect(Set(Self.outcomes.map(\.0)) == Set(HostileFault.allCases))
  }

  @Test("silent endpoints lose their own wakes alone: a healthy one of the same server gets its")
  func isolation() async throws {
    let server = try HostilePushServer(rules: PushServerRules(as: .hostile, checks: false))
    try await withSender(to: server.origin) { sender, policy in
      let bad = try (0..<10).map { try message(to: "\(server.origin)/silent-\($0)", policy) }
      let good = try message(to: "\(server.origin)/up/phone", policy)
      try await withThrowingTaskGroup(of: PushOutcome.self) { group in
        for each in bad { group.addTask { await sender.send(each).outcome } }
        group.addTask { await sender.send(good).outcome }
        let outcomes = try await group.reduce(into: []) { $0.append($1) }
        #expect(outcomes.count { $0 == .accepted } == 1)
        #expect(outcomes.count { $0 == .network } == 10)
      }
    }
    await server.stop()
  }

  @Test("it says what it saw, and stops while connections are open")
  func sights() async throws {
    let seen = Mutex<[PushSight]>([])
    let rules = PushServerRules(as: .hostile)
    let server = try HostilePushServer(rules: rules) { sight in seen.withLock { $0.append(sight) } }
    try await withSender(to: server.origin) { sender, policy in
      _ = await sender.send(try message(to: "\(server.origin)/early-close/secret-path", policy))
      let silentMessage = try message(to: "\(server.origin)/silent/secret-path", policy)
      async let silent = sender.send(silentMessage)
      while seen.withLock({ $0.count < 2 }) { try await Task.sleep(for: .milliseconds(2)) }
      await server.stop()
      #expect(await silent.outcome == .network)
    }
    let sights = seen.withLock { $0 }
    #expect(sights.map(\.fault) == [.earlyClose, .silent])
    #expect(sights.map(\.octets) == [0, 256])
    #expect(sights[0].faults.isEmpty && sights[1].faults.map(\.part).contains(.authorization))
    for sight in sights {
      #expect(!sight.line.contains("secret") && !sight.document.text.contains("secret"))
    }
    #expect(sights[1].document["fault"] == "silent" && sights[1].document["status"] == .null)
  }

  @Test("a bomb of gzip is a mebibyte, and holds 158 times as much")
  func bomb() async throws {
    let server = try HostilePushServer(rules: PushServerRules(as: .hostile, checks: false))
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/bin/sh")
    // gzip complains about the missing end, after it has written what there is.
    curl.arguments = ["-c", "curl -s -d x \(server.origin)/gzip-bomb | gzip -dc 2>/dev/null | wc -c"]
    curl.standardOutput = output
    try curl.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    curl.waitUntilExit()
    await server.stop()
    let count = Int(String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    #expect((count ?? 0) > 158 * 1_048_576)
  }
}
