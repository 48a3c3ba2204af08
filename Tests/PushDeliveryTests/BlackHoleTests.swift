import Dispatch
import PushDelivery
import Synchronization
import TestSupport
import Testing

@Suite("The sender: push servers and name servers that hang (B22)")
struct BlackHoleTests {
  private final class Tally: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var count: Int { counts.withLock(\.now) }
    var most: Int { counts.withLock(\.most) }

    func add(_ number: Int) {
      counts.withLock { counts in
        counts.now += number
        counts.most = max(counts.most, counts.now)
      }
    }
  }

  /// Said, so that no wake meets the closing of its connection.
  private static let taken = RawAnswer.status(201, headers: [("Connection", "close")], then: .close)
  private static let healthy = 950
  private static let holes = 50
  /// Over within the two minutes after which the kernel gives a connection up that nobody answers (tcp(7),
  /// tcp_syn_retries).
  private static let bursts = Sanitizer.isOn ? 5 : 20

  private static func send(
    to urls: [String], _ sender: PushSender, _ policy: AddressPolicy
  ) async throws -> [PushOutcome] {
    try await withThrowingTaskGroup(of: PushOutcome.self) { group in
      for url in urls {
        let message = try PushHarness.message(to: url, policy)
        group.addTask { await sender.send(message).outcome }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(
    "of 1,000 origins 50 are black holes: in burst after burst the healthy ones are woken while those still hang",
    .timeLimit(.minutes(5)))
  func bursts() async throws {
    let silent = try RawServer { _ in .silence }
    let healthy = try RawServer { _ in Self.taken }
    defer { for server in [silent, healthy] { server.stop() } }
    let dropping = try SYNDropper()
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.resolver = { _ in [loopback] }
      // No black hole is given up before all is over: nobody waits for that.
      $0.connectTimeoutMilliseconds = 1_000_000
      $0.totalTimeoutMilliseconds = 1_000_000
    }
    let wells = (0..<Self.healthy).map { "http://ok\($0).example:\(healthy.port)/up" }
    let holes = (0..<Self.holes).map { number in
      "http://hole\(number).example:\(number.isMultiple(of: 2) ? silent.port : dropping.port)/up"
    }
    let ended = Tally()
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.bursts {
          for hole in holes {
            let message = try PushHarness.message(to: hole, policy)
            group.addTask {
              #expect([.crowded, .unknown].contains(await sender.send(message).outcome))
              ended.add(1)
            }
          }
          let outcomes = try await Self.send(to: wells, sender, policy)
          #expect(outcomes.count == Self.healthy && outcomes.allSatisfy { $0 == .accepted })
          #expect(ended.count == 0)
        }
        // Two places for each hole that is not known yet, and no more of it was tried.
        #expect(silent.requests.count <= Self.holes)
        await sender.shutdown(graceMilliseconds: 0)
        try await group.waitForAll()
      }
    }
    #expect(healthy.requests.count == Self.healthy * Self.bursts)
    #expect(ended.count == Self.holes * Self.bursts)
  }

  @Test("a thousand silent origins keep no unknown one from being tried, and no known one from being woken")
  func silentCrowd() async throws {
    let silent = try RawServer { _ in .silence }
    let healthy = try RawServer { _ in Self.taken }
    defer { for server in [silent, healthy] { server.stop() } }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.resolver = { _ in [loopback] }
      $0.totalTimeoutMilliseconds = 3_000
    }
    let crowd = (0..<1_000).map { "http://silent\($0).example:\(silent.port)/up" }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      // They come to be known as silent.
      #expect(try await Self.send(to: Array(crowd.prefix(200)), sender, policy).allSatisfy { $0 == .network })
      async let hanging = Self.send(to: Array(crowd.prefix(200) + crowd.prefix(200)), sender, policy)
      let before = silent.requests.count
      await silent.wait(requests: before + 1)
      let outcomes = try await Self.send(
        to: (0..<50).map { "http://new\($0).example:\(healthy.port)/up" }, sender, policy)
      #expect(outcomes.allSatisfy { $0 == .accepted })
      // Of 400 wakes to silent origins at most 64 run at a time: most of them still wait.
      #expect(silent.requests.count < before + 400)
      await sender.shutdown(graceMilliseconds: 0)
      _ = try await hanging
    }
  }

  @Test("names that hang leave threads to names that are known to resolve, and are not asked for in crowds")
  func hangingNames() async throws {
    let server = try RawServer { _ in Self.taken }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let gate = DispatchSemaphore(value: 0)
    let hanging = Tally()
    let configuration = PushHarness.configuration {
      $0.totalTimeoutMilliseconds = 3_000
      $0.addressMilliseconds = 0
      $0.loops = 1
      $0.resolverThreads = 8
      $0.resolver = { name in
        guard name.hasPrefix("hangs") else { return [loopback] }
        hanging.add(1)
        gate.wait()
        hanging.add(-1)
        return [loopback]
      }
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      let known = "http://known.example:\(server.port)/up"
      #expect(try await Self.send(to: [known], sender, policy) == [.accepted])
      async let stuck = Self.send(
        to: (0..<100).map { "http://hangs\($0).example:\(server.port)/up" }, sender, policy)
      while hanging.count < 6 { try await Task.sleep(for: .milliseconds(5)) }
      // Six of eight threads hang, and 94 more names would like to.
      for _ in 0..<20 { #expect(try await Self.send(to: [known], sender, policy) == [.accepted]) }
      // A name that nobody has come to ask for is not at fault: those wakes are put back.
      let ended = try await stuck
      #expect(ended.count { $0 == .network } == 6 && ended.count { $0 == .crowded } == 94)
      #expect(hanging.most == 6)
      for _ in 0..<100 { gate.signal() }
      // What waited behind them keeps its place in line, and keeps nobody waiting.
      #expect(
        try await Self.send(to: ["http://new.example:\(server.port)/up"], sender, policy) == [.accepted])
    }
  }
}
