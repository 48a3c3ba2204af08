import Glibc
import HTTPListener
import Synchronization
import TestSupport
import Testing

@Suite("Deadlines that no octet moves")
struct DeadlineTests {
  /// Sends an octet again and again, until the listener has closed; false where it has not after a while.
  private static func trickle(_ octet: UInt8, on connection: RawHTTPConnection) throws -> Bool {
    for _ in 0..<400 {
      connection.send([octet])
      if try connection.isClosedByPeer(withinMilliseconds: 50) { return true }
    }
    return false
  }

  private static func harness(byTLS: Bool = false, _ change: (inout HTTPLimits) -> Void) throws
    -> ListenerHarness
  {
    var limits = HTTPLimits()
    change(&limits)
    return try ListenerHarness(limits: limits, identities: byTLS ? TestIdentity.make().slot : nil)
  }

  @Test(
    "a request line, or a head, that trickles in is cut off",
    arguments: ["G", "GET /a HTTP/1.1\r\nX: "], [false, true])
  func head(_ beginning: String, byTLS: Bool) async throws {
    let harness = try Self.harness(byTLS: byTLS) { $0.headSeconds = 1 }
    let isCut = try await harness.connected { connection in
      connection.send(beginning)
      return try Self.trickle(0x61, on: connection)
    }
    #expect(isCut)
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("a connection on which nothing comes is cut off")
  func nothing() async throws {
    let harness = try Self.harness { $0.headSeconds = 1 }
    #expect(try await harness.connected { try $0.isClosedByPeer() })
    await harness.listener.stop()
  }

  @Test(
    "a handshake that does not end is cut off, whether nothing of it comes, a beginning, or octet after octet",
    arguments: [[], [0x16, 0x03, 0x01]] as [[UInt8]], [false, true])
  func handshake(beginning: [UInt8], trickles: Bool) async throws {
    let harness = try Self.harness(byTLS: true) { $0.headSeconds = 1 }
    let isCut = try await harness.connected(plainly: true) { connection in
      // A record of 16 KiB that never gets there.
      connection.send(beginning.isEmpty ? [] : beginning + [0x40, 0x00])
      return try trickles && !beginning.isEmpty
        ? Self.trickle(0x01, on: connection) : connection.isClosedByPeer()
    }
    #expect(isCut)
    #expect(try await harness.connected { try $0.exchange("GET", "/a") }?.status == 200)
    await harness.listener.stop()
  }

  @Test("content that trickles in is cut off", arguments: [false, true])
  func body(byTLS: Bool) async throws {
    let harness = try Self.harness(byTLS: byTLS) { $0.bodySeconds = 1 }
    let isCut = try await harness.connected { connection in
      connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
      return try Self.trickle(0x61, on: connection)
    }
    #expect(isCut)
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("a later request line that trickles in is cut off", arguments: [false, true])
  func later(byTLS: Bool) async throws {
    let harness = try Self.harness(byTLS: byTLS) { $0.idleSeconds = 1 }
    let isCut = try await harness.connected { connection in
      _ = try connection.exchange("GET", "/a")
      return try Self.trickle(0x47, on: connection)
    }
    #expect(isCut)
    #expect(harness.requests.count == 1)
    await harness.listener.stop()
  }

  @Test("an answer that is taken too slowly is cut off")
  func answer() async throws {
    // More than the system keeps for a reader.
    let size = 32 * 1_048_576
    var limits = HTTPLimits()
    limits.answerSeconds = 1
    let harness = try ListenerHarness(limits: limits) { _ in
      HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: size))
    }
    let taken = try await harness.connected { connection in
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      var count = 0
      let end = ContinuousClock.now + .seconds(4)
      while ContinuousClock.now < end {
        count += try connection.octets(atMost: 100).count
        usleep(20_000)
      }
      return try count + connection.octetsToEnd().count
    }
    #expect(0 < taken && taken < size)
    await harness.listener.stop()
  }

  @Test("the deadlines of the service are 10 s for a head, 30 s for a body, and 120 s to take an answer")
  func usual() {
    let limits = HTTPLimits()
    #expect(limits.headSeconds == 10 && limits.bodySeconds == 30 && limits.answerSeconds == 120)
  }

  @Test(
    "of two hundred connections that trickle at once none outlasts its deadline, and others are served meanwhile",
    arguments: [false, true])
  func crowd(sendsBody: Bool) async throws {
    var limits = HTTPLimits()
    (limits.headSeconds, limits.bodySeconds) = (sendsBody ? 60 : 2, 2)
    let harness = try ListenerHarness(limits: limits)
    guard case .tcp(let host, let port) = harness.listener.address else { return }
    let beginning =
      sendsBody
      ? "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" : "GET /slow HTTP/1.1\r\nX: "
    let isOver = Mutex(false)
    let slow = Task {
      defer { isOver.withLock { $0 = true } }
      return try await onOwnThread { () -> Int in
        var open = try (0..<200).map { _ in try RawHTTPConnection(host: host, port: port) }
        for connection in open { connection.send(beginning) }
        for _ in 0..<400 where !open.isEmpty {
          open = try open.filter { connection in
            connection.send([0x61])
            return try !connection.isClosedByPeer(withinMilliseconds: 0)
          }
          // One of those that are left paces the others.
          _ = try open.first?.isClosedByPeer(withinMilliseconds: 50)
        }
        return open.count
      }
    }
    var served = 0
    while !isOver.withLock(\.self) {
      let answer = try await harness.connected { try $0.exchange("GET", "/quick") }
      #expect(answer?.status == 200)
      served += 1
    }
    #expect(served > 1)
    let left = try await slow.value
    #expect(left == 0)
    #expect(harness.requests.allSatisfy { $0.target == "/quick" })
    await harness.listener.stop()
  }

  @Test("a handler may take longer than any deadline")
  func handler() async throws {
    var limits = HTTPLimits()
    (limits.headSeconds, limits.bodySeconds, limits.idleSeconds) = (1, 1, 1)
    let harness = try ListenerHarness(limits: limits) { _ in
      try? await Task.sleep(for: .milliseconds(3_500))
      return HTTPResponse(status: 200)
    }
    let answer = try await harness.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    await harness.listener.stop()
  }
}
