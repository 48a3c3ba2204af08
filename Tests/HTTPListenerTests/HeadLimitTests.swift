import HTTPListener
import TestSupport
import Testing

@Suite("Limits of the head and of connections")
struct HeadLimitTests {
  @Test("a long head within the limit is taken", arguments: [1_000, 8_000, 16_000, 24_000])
  func long(_ count: Int) async throws {
    let harness = try ListenerHarness()
    let value = String(repeating: "v", count: count)
    let answer = try await harness.connected {
      try $0.exchange("GET", "/a", headers: [("X", value), ("Y", "z")])
    }
    #expect(answer?.status == 200)
    #expect(harness.requests.first?.header("X") == value)
    await harness.listener.stop()
  }

  @Test("a head of many fields within the limits is taken")
  func manyFields() async throws {
    let harness = try ListenerHarness()
    let headers = (0..<99).map { ("X-\($0)", String(repeating: "v", count: 150)) }
    let answer = try await harness.connected { try $0.exchange("GET", "/a", headers: headers) }
    #expect(answer?.status == 200)
    #expect(harness.requests.first?.headers.count == 100)
    await harness.listener.stop()
  }

  @Test("too many fields are refused")
  func tooManyFields() async throws {
    let harness = try ListenerHarness()
    let headers = (0..<100).map { ("X-\($0)", "v") }
    let answer = try await harness.connected { try $0.exchange("GET", "/a", headers: headers) }
    #expect(answer?.status == 431)
    #expect(harness.refusals == [.headTooLarge])
    await harness.listener.stop()
  }

  @Test(
    "a head beyond the connection's memory is answered 431, a request line 414, and the connection is closed")
  func tooLong() async throws {
    let harness = try ListenerHarness()
    let long = String(repeating: "v", count: 40_000)
    let head = try await harness.connected { connection in
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n")
      return try connection.answersToEnd().map(\.status)
    }
    #expect(head == [431])
    let line = try await harness.connected { connection in
      connection.send("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
      return try connection.answersToEnd().map(\.status)
    }
    #expect(line == [414])
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("a query of thousands of names neither gets through nor harms")
  func manyNames() async throws {
    // The library runs out of memory for its own list of the names, and says nothing more on the connection.
    var limits = HTTPLimits()
    limits.headSeconds = 1
    let harness = try ListenerHarness(limits: limits)
    for separator in ["&", "&a", "&a=b"] {
      let query = String(repeating: separator, count: 20_000 / separator.utf8.count)
      let statuses = try await harness.connected { connection in
        connection.send("GET /a?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.send("GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return try connection.answersToEnd().map(\.status)
      }
      #expect([[431], [414], [400], []].contains(statuses), "\(separator): \(statuses)")
    }
    #expect(harness.requests.isEmpty)
    let after = try await harness.connected { try $0.exchange("GET", "/after") }
    #expect(after?.status == 200)
    await harness.listener.stop()
  }

  @Test("a connection too many is told so, and one that ends makes room")
  func connections() async throws {
    var limits = HTTPLimits()
    limits.connections = 1
    let harness = try ListenerHarness(limits: limits)
    let statuses = try await harness.connected { first in
      let one = try first.exchange("GET", "/first")
      let surplus = try onConnection(to: harness.listener.address) { try $0.exchange("GET", "/second") }
      first.close()
      // The library needs a moment to notice; each try is a connection of its own.
      var last: RawHTTPAnswer?
      repeat {
        last = try onConnection(to: harness.listener.address) { try $0.exchange("GET", "/third") }
      } while last?.status == 503
      return [one?.status, surplus?.status, last?.status]
    }
    #expect(statuses == [200, 503, 200])
    #expect(harness.refusals.allSatisfy { $0 == .tooManyConnections })
    await harness.listener.stop()
  }

  @Test("a connection too many from one address is told so, many too many are cut, and room comes back")
  func connectionsPerAddress() async throws {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = 1
    let harness = try ListenerHarness(limits: limits)
    let outcome = try await harness.connected { first -> [Bool] in
      let one = try first.exchange("GET", "/first")
      var surplus: [RawHTTPConnection] = []
      guard case .tcp(let host, let port) = harness.listener.address else { return [] }
      for _ in 0..<HTTPLimits.surplusPerAddress {
        surplus.append(try RawHTTPConnection(host: host, port: port))
      }
      let told = try surplus.map { try $0.exchange("GET", "/second")?.status }
      surplus = []
      for _ in 0..<HTTPLimits.surplusPerAddress {
        surplus.append(try RawHTTPConnection(host: host, port: port))
      }
      let isCut = try onConnection(to: harness.listener.address) { try $0.isClosedByPeer() }
      surplus = []
      first.close()
      var last: RawHTTPAnswer?
      repeat {
        last = try onConnection(to: harness.listener.address) { try $0.exchange("GET", "/third") }
      } while last?.status != 200
      return [one?.status == 200, told.allSatisfy { $0 == 503 }, isCut]
    }
    #expect(outcome == [true, true, true])
    #expect(harness.refusals.allSatisfy { $0 == .tooManyConnections })
    await harness.listener.stop()
  }

  @Test("an exempt address may have as many connections as there are")
  func exempt() async throws {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = 1
    let harness = try ListenerHarness(limits: limits, exempt: ["127.0.0.1"])
    let statuses = try await harness.connected { first in
      guard case .tcp(let host, let port) = harness.listener.address else { return [Int?]() }
      let all = try [first] + (0..<40).map { _ in try RawHTTPConnection(host: host, port: port) }
      return try all.map { try $0.exchange("GET", "/")?.status }
    }
    #expect(statuses.count == 41 && statuses.allSatisfy { $0 == 200 })
    await harness.listener.stop()
  }

  @Test("an idle connection is closed")
  func idle() async throws {
    var limits = HTTPLimits()
    limits.idleSeconds = 1
    let harness = try ListenerHarness(limits: limits)
    let outcome = try await harness.connected { connection in
      let answer = try connection.exchange("GET", "/a")
      return [answer?.status == 200, try connection.isClosedByPeer()]
    }
    #expect(outcome == [true, true])
    await harness.listener.stop()
  }

  /// Opens a connection on the thread that we are on.
  private func onConnection<Value>(
    to address: ListenAddress, _ body: (RawHTTPConnection) throws -> Value
  ) throws -> Value {
    guard case .tcp(let host, let port) = address else { throw RawHTTPError.system("not TCP", 0) }
    return try body(RawHTTPConnection(host: host, port: port))
  }
}
