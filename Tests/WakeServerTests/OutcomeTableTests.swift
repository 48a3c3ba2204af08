import EndpointRegistry
import PushDelivery
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("What a push server's answer means, from registration to row (B18)")
struct OutcomeTableTests {
  /// An answer to the wake that follows the activation wake, and what it must come to.
  struct Case: Sendable {
    let name: String
    let answer: RawAnswer
    let outcome: AttemptOutcome
    let status: Int?

    static func status(_ status: Int, _ outcome: AttemptOutcome, _ headers: [(String, String)] = []) -> Case {
      let name = headers.isEmpty ? "\(status)" : "\(status) \(headers)"
      return Case(name: name, answer: .status(status, headers: headers), outcome: outcome, status: status)
    }

    static func network(_ name: String, _ answer: RawAnswer) -> Case {
      Case(name: name, answer: answer, outcome: .network, status: nil)
    }
  }

  private static let retryAfter = [("Retry-After", "5")]
  private static let cases: [Case] = [
    .status(200, .accepted), .status(201, .accepted), .status(202, .accepted), .status(204, .accepted),
    .status(299, .accepted), .status(300, .redirected), .status(301, .redirected), .status(302, .redirected),
    .status(304, .redirected), .status(307, .redirected), .status(308, .redirected), .status(400, .rejected),
    .status(401, .refused), .status(403, .refused), .status(404, .gone), .status(405, .rejected),
    .status(406, .rejected), .status(408, .rejected), .status(410, .gone), .status(411, .rejected),
    .status(413, .oversize), .status(415, .rejected), .status(418, .rejected), .status(421, .rejected),
    .status(425, .rejected), .status(429, .throttled), .status(451, .rejected), .status(500, .server),
    .status(501, .server), .status(502, .server), .status(503, .server), .status(504, .server),
    .status(507, .unsubscribed), .status(511, .server), .status(600, .server), .status(999, .server),
    .status(201, .accepted, retryAfter), .status(302, .redirected, retryAfter),
    .status(403, .throttled, retryAfter), .status(404, .gone, retryAfter), .status(410, .gone, retryAfter),
    .status(413, .throttled, retryAfter), .status(503, .throttled, retryAfter),
    .status(507, .throttled, retryAfter),
    Case(
      name: "400 of the key", answer: .status(400, body: #"{"reason":"VapidPkHashMismatch"}"#),
      outcome: .refused, status: 400),
    .network("closed", RawAnswer("", then: .close)), .network("reset", RawAnswer("", then: .reset)),
    .network("silent", .silence), .network("no HTTP", RawAnswer("SSH-2.0-x\r\n", then: .close)),
    .network("interim only", RawAnswer("HTTP/1.1 100 Continue\r\n\r\n", then: .close)),
    .network(
      "GOAWAY of HTTP/2", RawAnswer(octets: [0, 0, 8, 7] + Array(repeating: 0, count: 13), then: .close)),
  ]

  /// A push server of its own for each case: an origin's answers have consequences for all of it.
  private static func server(_ row: Case) throws -> RawServer {
    let isActivated = Mutex(false)
    return try RawServer { _ in
      let isFirst = isActivated.withLock { isActivated in
        defer { isActivated = true }
        return !isActivated
      }
      return isFirst ? .status(201) : row.answer
    }
  }

  @Test("every answer is its outcome, on record once; 404 and 410 alone erase", .timeLimit(.minutes(5)))
  func table() async throws {
    var servers: [RawServer] = []
    defer { for server in servers { server.stop() } }
    for row in Self.cases { servers.append(try Self.server(row)) }
    try await TestService.with(
      .socket, alsoAllows: "127.0.0.0/8", sending: { $0.totalTimeoutMilliseconds = 3_000 }
    ) { service in
      var devices: [String] = []
      for server in servers {
        let endpoint = "http://127.0.0.1:\(server.port)/up/secret"
        let reply = try await service.register(try Companion().registration(endpoint: endpoint))
        devices.append(try #require(reply.json["device"]?.string))
        await server.wait(requests: 1)
      }
      // Pauses are told as they are before the first is over.
      let asked = WallClock.system.now()
      #expect(try await service.hook(["kind": "problem"]).status == 202)
      await service.settle()

      let attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 1_000)
        .filter { $0.purpose == .alert }
      #expect(attempts.count == Self.cases.count)
      for (index, row) in Self.cases.enumerated() {
        let mine = attempts.filter { $0.device.text == devices[index] }
        #expect(mine.map(\.outcome) == [row.outcome], "\(row.name)")
        #expect(mine.map(\.status) == [row.status], "\(row.name)")
        #expect(mine.first?.reason?.contains("secret") != true, "\(row.name)")
        // Sent once, whatever came of it.
        #expect(servers[index].requests.count == 2, "\(row.name)")
        let endpoint = "http://127.0.0.1:\(servers[index].port)/up/secret"
        let holders = try await service.store.devices(holding: endpoint)
        #expect(holders.isEmpty == (row.outcome == .gone), "\(row.name)")
        let id = try #require(DeviceID(devices[index]))
        let device = try #require(try await service.store.device(id))
        #expect(device.state(at: asked) == Self.state(after: row.outcome), "\(row.name)")
      }
    }
  }

  private static func state(after outcome: AttemptOutcome) -> DeviceState {
    switch outcome {
    case .accepted: .unconfirmed
    case .gone: .gone
    case .throttled: .held
    default: .undelivered
    }
  }
}
