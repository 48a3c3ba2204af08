import Foundation
import Glibc
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("The end of a service that is asked to end")
struct OrderlyEndTests {
  private static let patience = Duration.seconds(60)
  private static let alerts = 5

  /// Whether a server has read all that has come on its connections, of which there are so many: by the kernel's own
  /// table of sockets (proc(5)).
  private static func hasReadAll(_ address: String, connections: Int) throws -> Bool {
    let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    let digits = String(port, radix: 16, uppercase: true)
    let local = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    var count = 0
    // `String(contentsOfFile:)` takes the first piece of such a file for the whole.
    let table = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp")).readToEnd() ?? Data()
    for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
      // local_address, rem_address, st (01 is open), tx_queue:rx_queue
      let fields = line.split(separator: " ")
      guard fields.count > 4, fields[1].hasSuffix(local), fields[3] == "01" else { continue }
      guard fields[4].hasSuffix(":00000000") else { return false }
      count += 1
    }
    return count >= connections
  }

  private static func connect(to address: String) throws -> RawHTTPConnection {
    let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    return try RawHTTPConnection(host: "127.0.0.1", port: port)
  }

  /// Octets in SQLite's log beside the store; 0 where there is none.
  private static func logOctets(_ state: TemporaryFolder) throws -> Int {
    let path = state.path("state/wake.sqlite-wal")
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test(
    "requests and wakes under way are finished, streams are closed, nobody new is let in, the store is one file",
    arguments: [SIGTERM, SIGINT])
  func finishes(signal: Int32) async throws {
    let pushServer = try StandInPushServer()
    let state = try TemporaryFolder()
    defer { state.remove() }
    let server = try await Server(
      state,
      ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0"])
    let phone = try await server.phone(pushServer, stack: "home")
    _ = await pushServer.wait(for: 1)
    let address = server.address
    let stream = Task {
      try await onOwnThread {
        let stream = try Self.connect(to: address)
        stream.send(
          "GET /v1/stacks/\(phone.stack)/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(phone.token)\r\n\r\n"
        )
        return String(decoding: try stream.octetsToEnd(), as: UTF8.self)
      }
    }
    // The alerts wait for somebody else's transaction, so that they are under way when the signal comes.
    var holder: StoreHolder? = try StoreHolder(state.path("state/wake.sqlite"))
    let end = ContinuousClock.now + Self.patience
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    let body = #"{"kind":"problem"}"#
    let raising =
      "POST /v1/stacks/\(phone.stack)/alerts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(phone.hook)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<Self.alerts {
        group.addTask {
          try await onOwnThread {
            defer { isSent.yield() }
            let connection = try Self.connect(to: address)
            connection.send(raising)
            isSent.yield()
            return try connection.answersToEnd().map(\.status)
          }
        }
      }
      var waiting = sent.makeAsyncIterator()
      for _ in 0..<Self.alerts { await waiting.next() }
      while try !Self.hasReadAll(address, connections: Self.alerts + 1) {
        try #require(ContinuousClock.now < end, "the requests were not read")
        try await Task.sleep(for: .milliseconds(5))
      }
      server.process.signal(signal)
      while (try? Self.connect(to: address)) != nil, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect((try? Self.connect(to: address)) == nil, "a new connection was taken")
      holder?.release()
      holder = nil
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(statuses == Array(repeating: 202, count: Self.alerts))
    #expect(await server.process.exitCode() == 0)
    #expect(try Self.logOctets(state) == 0)
    // The end of a chunked answer, and not a connection that broke off.
    let heard = try await stream.value
    #expect(heard.contains("event: hello") && heard.hasSuffix("\r\n0\r\n\r\n"), "\(heard.suffix(100))")
    // Every alert has been nudged for: one wake stands for those that came together.
    let attempts = try await server.json("attempts", "--stack", phone.stack)
    let alerts = attempts.array ?? []
    #expect(
      alerts.allSatisfy { ["accepted", "coalesced"].contains($0["outcome"]?.string) }, "\(attempts.text)")
    let stoodFor = alerts.reduce(0) { $0 + ($1["alerts"]?["count"]?.integer ?? 0) }
    #expect(stoodFor == Int64(statuses.count), "\(attempts.text)")
    await pushServer.stop()
  }

  @Test("a request that does not end holds nobody up beyond the time of grace")
  func bounded() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let server = try await Server(state)
    let address = server.address
    // Half a request, which is not under way, and a connection without any.
    let (ready, isReady) = AsyncStream<Void>.makeStream()
    let waiting = Task {
      try await onOwnThread {
        defer { isReady.finish() }
        let half = try Self.connect(to: address)
        half.send("POST /v1/stacks/x/alerts HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        let silent = try Self.connect(to: address)
        isReady.finish()
        _ = try half.octetsToEnd()
        return try silent.isClosedByPeer()
      }
    }
    for await _ in ready {}
    let start = ContinuousClock.now
    #expect(await server.stop() == 0)
    // Neither was waited for: the time of grace is 10 s.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(try await waiting.value)
  }

  @Test("what a process that was killed has left half made is gone after the next start, and nothing else")
  func scratch() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let old = [
      "wake.sqlite.new-0123456789abcdef", "wake.sqlite.new-0123456789abcdef-wal",
      "wake.sqlite.new-0123456789abcdef-shm", "wake.sqlite.restoring", "wake.sqlite.restoring-wal",
      "service.key.new-00000000deadbeef",
    ]
    let kept = [
      "wake.sqlite.new-0123", "wake.sqlite.new-0123456789ABCDEF", "wake.sqlite.new-0123456789abcdef.txt",
      "wake.sqlite.before-restore-1", "other.new-0123456789abcdef", "service.key.new-0123456789abcdef0",
    ]
    // Somebody else may be making this one at this moment.
    let young = "wake.sqlite.new-fedcba9876543210"
    for name in old + kept + [young] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: state.path("state/\(name)")))
      guard name != young else { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: state.path("state/\(name)"))
    }
    try await Server.with(state) { server in
      let left = Set(try FileManager.default.contentsOfDirectory(atPath: state.path("state")))
      #expect(left.isDisjoint(with: old), "\(left.intersection(old))")
      #expect(left.isSuperset(of: kept + [young]))
      #expect(try server.log().contains("removed \(old.count) scratch files"))
    }
  }
}
