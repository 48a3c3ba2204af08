import Dispatch
import PushDelivery
import TestSupport
import Testing

@Suite(
  "The sender: kept connections that the push server has closed",
  .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"))
struct KeptConnectionTests {
  enum Scheme: String, CaseIterable { case http, https }

  /// An answer after this time is late (OriginStanding).
  private static let lateMilliseconds = 2_000

  private let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  private func server(_ scheme: Scheme, answering: @escaping RawServer.Answering) throws -> RawServer {
    switch scheme {
    case .http: try RawServer(answering: answering)
    case .https: try authority.server(.good, answering: answering)
    }
  }

  /// Runs `body` with a sender that may reach `server`, and what makes a wake to a path of it.
  private func withSender(
    to server: RawServer, _ scheme: Scheme,
    _ body: (PushSender, (String) throws -> WakeMessage) async throws -> Void
  ) async throws {
    let configuration = PushHarness.configuration { $0.caFile = authority.caFile }
    let origin = "\(scheme.rawValue)://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      try await body(sender) { try PushHarness.message(to: origin + $0, policy) }
    }
  }

  @Test("one that was closed in order is replaced, and the wake goes out once", arguments: Scheme.allCases)
  func closedInOrder(scheme: Scheme) async throws {
    let server = try server(scheme) { _ in .status(201, then: .close) }
    defer { server.stop() }
    try await withSender(to: server, scheme) { sender, message in
      for place in 0..<5 {
        let answer = await sender.send(try message("/\(place)"))
        #expect(answer.outcome == .accepted, "\(answer)")
        await server.wait(closed: place + 1)
      }
    }
    #expect(server.requests.map(\.target) == (0..<5).map { "/\($0)" })
    #expect(server.accepted == 5)
  }

  @Test("last words on one do not pass for an answer to the next wake", arguments: Scheme.allCases)
  func lastWords(scheme: Scheme) async throws {
    let feed = RawFeed()
    let server = try server(scheme) { request in
      let answer = RawAnswer.status(201)
      return request.connection == 0 ? RawAnswer(octets: answer.octets, then: .feed(feed)) : answer
    }
    defer { server.stop() }
    try await withSender(to: server, scheme) { sender, message in
      #expect(await sender.send(try message("/0")).outcome == .accepted)
      feed.send("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      feed.end()
      await server.wait(closed: 1)
      let answer = await sender.send(try message("/1"))
      #expect(answer.outcome == .accepted, "\(answer)")
    }
    #expect(server.requests.map(\.target) == ["/0", "/1"])
    #expect(server.requests.map(\.connection) == [0, 1])
  }

  @Test("a crowd that meets many of them loses no wake and repeats none", arguments: Scheme.allCases)
  func crowd(scheme: Scheme) async throws {
    let (crowd, gate) = (8, DispatchSemaphore(value: 0))
    var first = 0
    let server = try server(scheme) { request in
      if request.target.hasPrefix("/gate") { gate.wait() }
      return .status(201, then: .close)
    }
    defer {
      for _ in 0..<crowd { gate.signal() }
      server.stop()
    }
    try await withSender(to: server, scheme) { sender, message in
      func burst(_ path: String, meanwhile: () async -> Void = {}) async throws {
        try await withThrowingTaskGroup(of: PushAnswer.self) { group in
          for place in 0..<crowd {
            let message = try message("\(path)/\(place)")
            group.addTask { await sender.send(message) }
          }
          await meanwhile()
          for try await answer in group { #expect(answer.outcome == .accepted, "\(answer)") }
        }
      }
      // A push server that answers soon gets more than two places.
      var milliseconds = 0
      repeat {
        let answer = await sender.send(try message("/first/\(first)"))
        #expect(answer.outcome == .accepted, "\(answer)")
        (first, milliseconds) = (first + 1, answer.milliseconds)
      } while milliseconds >= Self.lateMilliseconds && first < 10
      // All are under way at the same time, and so each has a connection of its own, which is then closed.
      try await burst("/gate") {
        await server.wait(requests: first + crowd)
        for _ in 0..<crowd { gate.signal() }
      }
      await server.wait(closed: first + crowd)
      try await burst("/second")
    }
    let targets = server.requests.map(\.target)
    #expect(targets.count == first + 2 * crowd)
    #expect(Set(targets).count == targets.count)
  }

  @Test(
    "one that closes when the request has come is a lost wake, and not repeated",
    arguments: Scheme.allCases)
  func closedOnRequest(scheme: Scheme) async throws {
    let server = try server(scheme) { request in
      request.indexOnConnection == 0 ? .status(201) : RawAnswer("", then: .close)
    }
    defer { server.stop() }
    try await withSender(to: server, scheme) { sender, message in
      #expect(await sender.send(try message("/0")).outcome == .accepted)
      let answer = await sender.send(try message("/1"))
      #expect(answer.outcome == .network)
      #expect(answer.reason == "the push server closed the connection without an answer")
    }
    #expect(server.requests.map(\.target) == ["/0", "/1"])
  }
}
