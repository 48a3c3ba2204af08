import Foundation
import PushDelivery
import Synchronization
import TestSupport
import Testing

@Suite("The sender: connections, time and its end")
struct PushSenderNetworkTests {
  /// Sends `count` wakes at once, each to its own path, and returns what came of them.
  private func burst(_ count: Int, to origin: String, _ sender: PushSender, _ policy: AddressPolicy)
    async throws
    -> [PushAnswer]
  {
    try await withThrowingTaskGroup(of: PushAnswer.self) { group in
      for place in 0..<count {
        let message = try PushHarness.message(to: "\(origin)/\(place)", policy)
        group.addTask { await sender.send(message) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("nobody listens")
  func refused() async throws {
    let server = try RawServer { _ in .status(201) }
    server.stop()
    let origin = "http://127.0.0.1:\(server.port)"
    let answer = try await PushHarness.withSender(allow: origin) { sender, policy in
      await sender.send(try PushHarness.message(to: origin + "/x", policy))
    }
    #expect(answer.outcome == .network)
    #expect(answer.reason?.contains("refused") == true)
  }

  @Test("a push server that stays silent ends in time")
  func silence() async throws {
    let configuration = PushHarness.configuration { $0.totalTimeoutMilliseconds = 200 }
    let (answer, requests) = try await PushHarness.send(configuration: configuration) { _ in .silence }
    #expect(answer.outcome == .network)
    #expect(answer.reason == "the push server did not answer in time")
    #expect(answer.milliseconds >= 200)
    #expect(requests.count == 1)
  }

  @Test(
    "a name that does not resolve says why",
    arguments: [NameResolutionError.noSuchName, .noAnswer, .failed])
  func unresolved(error: NameResolutionError) async throws {
    let configuration = PushHarness.configuration {
      $0.resolver = { _ throws(NameResolutionError) in throw error }
    }
    let answer = try await PushHarness.withSender(allow: "", configuration: configuration) { sender, policy in
      await sender.send(try PushHarness.message(to: "https://push.example/x", policy))
    }
    #expect(answer.outcome == .network)
    #expect(answer.reason == error.detail)
  }

  @Test("the machine's own resolver knows what does not exist")
  func systemResolver() async throws {
    #expect(throws: NameResolutionError.self) { try SystemResolver.resolve("does-not-exist.invalid") }
    let loopback = try SystemResolver.resolve("localhost").map(\.description)
    #expect(loopback.contains("127.0.0.1") || loopback.contains("::1"))
  }

  @Test("a resolver that hangs does not hold an attempt longer than it may last, nor other names")
  func hangingResolver() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let gate = DispatchSemaphore(value: 0)
    let configuration = PushHarness.configuration {
      $0.totalTimeoutMilliseconds = 300
      $0.resolver = { name in
        if name == "hangs.example" { gate.wait() }
        return [loopback]
      }
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      async let late = burst(5, to: "http://hangs.example:\(server.port)", sender, policy)
      let other = try PushHarness.message(to: "http://answers.example:\(server.port)/x", policy)
      #expect(await sender.send(other).outcome == .accepted)
      for answer in try await late {
        #expect(answer.outcome == .network)
        #expect(answer.reason == NameResolutionError.timedOut.detail)
      }
      gate.signal()
    }
    #expect(server.requests.count == 1)
  }

  @Test("a name is asked for once, however many wakes go there")
  func resolvesOnce() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let asked = Names()
    let configuration = PushHarness.configuration {
      $0.resolver = { name in
        asked.add(name)
        return [loopback]
      }
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      let answers = try await burst(100, to: "http://push.example:\(server.port)", sender, policy)
      #expect(answers.allSatisfy { $0.outcome == .accepted })
    }
    #expect(asked.all == ["push.example"])
  }

  private final class Names: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test("a connection is used again and again")
  func reuse() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for place in 0..<50 {
        let message = try PushHarness.message(to: "\(origin)/\(place)", policy)
        #expect(await sender.send(message).outcome == .accepted)
      }
    }
    #expect(server.accepted == 1)
    #expect(server.requests.map(\.target) == (0..<50).map { "/\($0)" })
  }

  @Test("a crowd at one origin shares a bounded number of connections, and each wake goes out once")
  func boundedPerOrigin() async throws {
    let server = try RawServer { _ in
      usleep(1_000)
      return .status(201)
    }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let configuration = PushHarness.configuration { $0.attemptsPerOriginMaximum = 5 }
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      let answers = try await burst(300, to: origin, sender, policy)
      #expect(answers.count == 300)
      #expect(answers.allSatisfy { $0.outcome == .accepted })
    }
    #expect(server.servingMaximum <= 5)
    #expect(server.openMaximum <= 5)
    #expect(server.accepted <= 5)
    #expect(Set(server.requests.map(\.target)).count == 300)
    #expect(server.requests.count == 300)
  }

  @Test("silent push servers do not keep the others waiting")
  func isolation() async throws {
    let silent = try RawServer { _ in .silence }
    let healthy = try RawServer { _ in .status(201) }
    defer {
      silent.stop()
      healthy.stop()
    }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.resolver = { _ in [loopback] }
      // Three quarters, 60, for who is not known to answer: 50 for the silent ones, 10 for those that are tried next.
      $0.loops = 1
      $0.attemptsMaximum = 80
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      try await withThrowingTaskGroup(of: Void.self) { group in
        // Ten wakes to each of 25 origins that will be silent: each may have two places at most.
        for origin in 0..<25 {
          for _ in 0..<10 {
            let message = try PushHarness.message(
              to: "http://silent\(origin).example:\(silent.port)/x", policy)
            group.addTask {
              // The last ones are ended with the sender.
              #expect([.network, .crowded, .unknown].contains(await sender.send(message).outcome))
            }
          }
        }
        await silent.wait(requests: 50)
        for origin in 0..<50 {
          let message = try PushHarness.message(to: "http://ok\(origin).example:\(healthy.port)/x", policy)
          #expect(await sender.send(message).outcome == .accepted)
        }
        #expect(silent.requests.count == 50)
        await sender.shutdown(graceMilliseconds: 0)
        try await group.waitForAll()
      }
    }
    #expect(healthy.requests.count == 50)
  }

  @Test("too many that wait are turned away, not forgotten")
  func fullQueue() async throws {
    let server = try RawServer { _ in .silence }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let configuration = PushHarness.configuration {
      $0.attemptsMaximum = 1
      $0.waitingMaximum = 10
      $0.totalTimeoutMilliseconds = 100
    }
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      let answers = try await burst(30, to: origin, sender, policy)
      #expect(answers.count == 30)
      #expect(answers.allSatisfy { $0.outcome == .network || $0.outcome == .crowded })
      #expect(answers.count { $0.outcome == .crowded } >= 19)
      #expect(
        answers.filter { $0.outcome == .crowded }.allSatisfy { $0.reason?.contains("was not sent") == true })
    }
  }

  @Test("a request on a kept connection that closes without an answer is not repeated")
  func notRepeated() async throws {
    let server = try RawServer { request in
      request.indexOnConnection == 0 ? .status(201) : RawAnswer("", then: .close)
    }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let answers = try await PushHarness.withSender(allow: origin) { sender, policy in
      var answers: [PushAnswer] = []
      for place in 0..<2 {
        answers.append(await sender.send(try PushHarness.message(to: "\(origin)/\(place)", policy)))
      }
      return answers
    }
    #expect(answers.map(\.outcome) == [.accepted, .network])
    #expect(answers[1].reason == "the push server closed the connection without an answer")
    #expect(server.requests.map(\.target) == ["/0", "/1"])
  }

  @Test("a kept connection that was closed meanwhile is replaced")
  func closedMeanwhile() async throws {
    let server = try RawServer { _ in .status(201, then: .close) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for place in 0..<3 {
        #expect(
          await sender.send(try PushHarness.message(to: "\(origin)/\(place)", policy)).outcome == .accepted)
        // The end of the connection has to be here before the next wake; the server closes at once.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    #expect(server.requests.map(\.target) == ["/0", "/1", "/2"])
    #expect(server.accepted == 3)
  }

  @Test("an orderly end lets running attempts finish and takes no new ones")
  func orderlyEnd() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { _ in
      gate.wait()
      return .status(201)
    }
    defer { server.stop() }
    let other = try RawServer { _ in .status(201) }
    defer { other.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let otherOrigin = "http://127.0.0.1:\(other.port)"
    try await PushHarness.withSender(allow: "\(origin), \(otherOrigin)") { sender, policy in
      async let running = sender.send(try PushHarness.message(to: origin + "/x", policy))
      await server.wait(requests: 1)
      async let end: Void = sender.shutdown()
      // Whoever comes before the end is served, whoever comes later is told so.
      let late = try PushHarness.message(to: otherOrigin + "/x", policy)
      var answer = await sender.send(late)
      while answer.outcome == .accepted { answer = await sender.send(late) }
      #expect(answer.reason == "the service was stopping; this wake was not sent")
      gate.signal()
      #expect(try await running.outcome == .accepted)
      await end
    }
  }

  @Test("an end without patience answers everything")
  func abruptEnd() async throws {
    let server = try RawServer { _ in .silence }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    // Two of three places are for who is not known to answer.
    let configuration = PushHarness.configuration {
      $0.loops = 1
      $0.attemptsMaximum = 3
    }
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      async let answers = burst(20, to: origin, sender, policy)
      await server.wait(requests: 2)
      await sender.shutdown(graceMilliseconds: 0)
      let all = try await answers
      #expect(all.count == 20)
      #expect(all.allSatisfy { $0.status == nil })
      // What had not begun did not go out, for certain.
      #expect(all.count { $0.outcome == .crowded } >= 18)
      #expect(all.allSatisfy { $0.outcome == .crowded || $0.outcome == .unknown })
      #expect(all.filter { $0.reason?.contains("may have gone out") == true }.count <= 2)
    }
  }

  @Test("no thread and no descriptor is left behind")
  func nothingLeft() async {
    await #expect(processExitsWith: .success) {
      func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? -1
      }
      let server = try RawServer { _ in .status(201) }
      let origin = "http://127.0.0.1:\(server.port)"
      let denied = try #require(IPAddress(parsing: "10.0.0.5"))
      let configuration = PushHarness.configuration { $0.resolver = { _ in [denied] } }
      func round() async throws {
        try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
          let answer = await sender.send(try PushHarness.message(to: origin + "/x", policy))
          #expect(answer.outcome == .accepted)
          // This one starts a thread that resolves names.
          let other = await sender.send(try PushHarness.message(to: "https://push.example/x", policy))
          #expect(other.outcome == .blocked)
        }
        // One that nobody shuts down ends with its last reference.
        _ = try PushSender(policy: AddressPolicy(), configuration: PushHarness.configuration())
      }
      try await round()
      try await Task.sleep(for: .milliseconds(200))
      let threads = count("task")
      let descriptors = count("fd")
      for _ in 0..<5 { try await round() }
      for _ in 0..<500 where count("task") > threads || count("fd") > descriptors {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(count("task") <= threads)
      #expect(count("fd") <= descriptors)
      server.stop()
    }
  }
}
