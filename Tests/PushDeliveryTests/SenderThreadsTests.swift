import Glibc
import PushDelivery
import TestSupport
import Testing

@Suite("The sender: several threads")
struct SenderThreadsTests {
  @Test(
    "bounds in all hold for all threads together, and each wake goes out once",
    arguments: [(threads: 4, attempts: 8), (threads: 4, attempts: 1), (threads: 1, attempts: 8)])
  func boundsInAll(threads: Int, attempts: Int) async throws {
    let server = try RawServer { _ in
      usleep(1_000)
      return .status(201)
    }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.loops = threads
      $0.attemptsMaximum = attempts
      $0.resolver = { _ in [loopback] }
    }
    let (origins, each) = (20, 10)
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      try await withThrowingTaskGroup(of: PushAnswer.self) { group in
        for number in 0..<origins * each {
          let origin = "http://push\(number % origins).example:\(server.port)"
          let message = try PushHarness.message(to: "\(origin)/\(number)", policy)
          group.addTask { await sender.send(message) }
        }
        for try await answer in group { #expect(answer.outcome == .accepted, "\(answer)") }
      }
    }
    #expect(server.servingMaximum <= attempts)
    #expect(server.requests.count == origins * each)
    #expect(Set(server.requests.map(\.target)).count == origins * each)
  }

  @Test("an end without patience answers what waits and runs on all of them")
  func abruptEnd() async throws {
    let server = try RawServer { _ in .silence }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration {
      $0.loops = 4
      $0.attemptsMaximum = 8
      $0.resolver = { _ in [loopback] }
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) { sender, policy in
      try await withThrowingTaskGroup(of: PushAnswer.self) { group in
        for number in 0..<40 {
          let url = "http://push\(number).example:\(server.port)/x"
          let message = try PushHarness.message(to: url, policy)
          group.addTask { await sender.send(message) }
        }
        await server.wait(requests: 2)
        await sender.shutdown(graceMilliseconds: 0)
        let answers = try await group.reduce(into: [PushAnswer]()) { $0.append($1) }
        #expect(answers.count == 40)
        #expect(answers.allSatisfy { [.crowded, .unknown].contains($0.outcome) && $0.status == nil })
        #expect(answers.contains { $0.outcome == .crowded } && answers.contains { $0.outcome == .unknown })
      }
    }
  }
}
