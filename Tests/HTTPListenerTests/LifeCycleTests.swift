import HTTPListener
import Synchronization
import TestSupport
import Testing

/// A door that handlers wait at until the test opens it.
private final class Door: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>], arrived: Int)>(
    (false, [], 0))
  private let arrival = Mutex<(wanted: Int, continuation: CheckedContinuation<Void, Never>)?>(nil)

  func pass() async {
    let arrived = state.withLock { state in
      state.arrived += 1
      return state.arrived
    }
    arrival.withLock { $0.map { $0.wanted <= arrived } == true ? $0.take() : nil }?.continuation.resume()
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when so many have come to the door.
  func hasArrived(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = arrival.withLock { arrival in
        let isThere = state.withLock { $0.arrived } >= count
        if !isThere { arrival = (count, continuation) }
        return isThere
      }
      if isThere { continuation.resume() }
    }
  }
}

@Suite("Life and end of a listener")
struct LifeCycleTests {
  private func waiting(at door: Door, limits: HTTPLimits = HTTPLimits()) throws -> ListenerHarness {
    try ListenerHarness(limits: limits) { request in
      await door.pass()
      return HTTPResponse(status: 200, body: Array(request.target.utf8))
    }
  }

  @Test("many requests wait at once, more than there are threads, and all are answered")
  func manyAtOnce() async throws {
    let door = Door()
    let harness = try waiting(at: door)
    let count = 200
    let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<count {
        group.addTask { try await harness.connected { try $0.exchange("GET", "/\(number)")?.status } }
      }
      await door.hasArrived(count)
      door.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: count))
    #expect(Set(harness.requests.map(\.target)).count == count)
    await harness.listener.stop()
  }

  @Test("a handler that answers at once, before the connection is even set aside, is heard")
  func answersAtOnce() async throws {
    let harness = try ListenerHarness()
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await harness.connected { connection in
            try (0..<500).reduce(0) { sum, number in
              try sum + (connection.exchange("POST", "/\(number)", body: [0x61])?.status == 200 ? 1 : 0)
            }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(count == 2_000)
    await harness.listener.stop()
  }

  @Test("a client that leaves while its request is handled harms nobody", arguments: [false, true])
  func clientLeaves(isReset: Bool) async throws {
    let door = Door()
    let harness = try waiting(at: door)
    for _ in 0..<20 {
      try await harness.connected { connection in
        connection.send("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.close(isReset: isReset)
      }
    }
    if !isReset { await door.hasArrived(20) }
    door.open()
    let answer = try await harness.connected { try $0.exchange("GET", "/here") }
    #expect(answer?.text == "/here")
    await harness.listener.stop()
  }

  @Test("stop lets a running request finish, and tells its client that the connection ends")
  func stopLetsFinish() async throws {
    let door = Door()
    let harness = try waiting(at: door)
    async let answers = harness.connected { connection in
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      return try connection.answersToEnd()
    }
    await door.hasArrived()
    async let stopped: Void = harness.listener.stop()
    while try await !isRefused(harness.listener.address) {}
    door.open()
    #expect(try await answers.map(\.status) == [200])
    #expect(try await answers.first?.header("Connection") == "close")
    await stopped
  }

  @Test("stop refuses a new request on a connection that is open")
  func stopRefusesNew() async throws {
    let door = Door()
    let harness = try waiting(at: door)
    let answers = try await harness.connected { connection in
      let idle = try Self.another(harness.listener.address)
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      waitBlocking { await door.hasArrived() }
      let stop = Task { await harness.listener.stop() }
      // The listener takes no connections any more once it has begun to stop.
      while (try? Self.another(harness.listener.address)) != nil {}
      let refused = try idle.exchange("GET", "/b")
      door.open()
      let first = try connection.answer()
      waitBlocking { await stop.value }
      return [first?.status, refused?.status]
    }
    #expect(answers == [200, 503])
    #expect(harness.refusals == [.stopping])
    #expect(harness.requests.map(\.target) == ["/a"])
  }

  @Test(
    "stop does not wait for ever: a handler that hangs is answered for, and told to give up",
    .timeLimit(.minutes(2)))
  func stopIsBounded() async throws {
    var limits = HTTPLimits()
    limits.drainSeconds = 0
    let cancelled = Mutex(false)
    let door = Door()
    let harness = try ListenerHarness(limits: limits) { _ in
      await withTaskCancellationHandler {
        await door.pass()
      } onCancel: {
        cancelled.withLock { $0 = true }
      }
      return HTTPResponse(status: 200)
    }
    async let answers = harness.connected { connection in
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      return try connection.answersToEnd().map(\.status)
    }
    await door.hasArrived()
    await harness.listener.stop()
    #expect(try await answers == [503])
    // It is told on another thread, which may come later.
    while !cancelled.withLock({ $0 }) { await Task.yield() }
    // The handler outlives its connection and its listener.
    door.open()
  }

  @Test("stop ends idle and half-sent connections at once")
  func stopEndsIdle() async throws {
    let harness = try ListenerHarness()
    let isClosed = try await harness.connected { idle in
      let half = try Self.another(harness.listener.address)
      half.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
      _ = try idle.exchange("GET", "/a")
      waitBlocking { await harness.listener.stop() }
      return [try idle.isClosedByPeer(), try half.isClosedByPeer()]
    }
    #expect(isClosed == [true, true])
  }

  @Test("stop may be called again, and at the same time")
  func stopTwice() async throws {
    let harness = try ListenerHarness()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<5 { group.addTask { await harness.listener.stop() } }
    }
    await harness.listener.stop()
    #expect(try await isRefused(harness.listener.address))
  }

  @Test("a listener that is let go of stops by itself")
  func letGo() async throws {
    var address: ListenAddress?
    do {
      let harness = try ListenerHarness()
      address = harness.listener.address
    }
    let gone = try #require(address)
    while try await !isRefused(gone) {}
  }

  @Test("stopping under load loses no answer that was begun")
  func stopUnderLoad() async throws {
    for _ in 0..<10 {
      let harness = try ListenerHarness { request in
        await Task.yield()
        return HTTPResponse(status: 200, body: Array(request.target.utf8))
      }
      let answered = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do {
              return try await harness.connected { connection in
                var count = 0
                while let answer = try connection.exchange("GET", "/a"), answer.status == 200 { count += 1 }
                return count
              }
            } catch RawHTTPError.system { return 0 }
          }
        }
        while harness.requests.count < 100 { await Task.yield() }
        await harness.listener.stop()
        return try await group.reduce(0, +)
      }
      #expect(answered == harness.requests.count)
    }
  }

  /// Whether nobody listens at an address.
  private func isRefused(_ address: ListenAddress) async throws -> Bool {
    try await onOwnThread { (try? Self.another(address)) == nil }
  }

  /// Another connection, on the thread that we are on.
  private static func another(_ address: ListenAddress) throws -> RawHTTPConnection {
    guard case .tcp(let host, let port) = address else { throw RawHTTPError.system("not TCP", 0) }
    return try RawHTTPConnection(host: host, port: port)
  }
}
