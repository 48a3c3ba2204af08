import Glibc
import HTTPClient
import TestSupport
import Testing

@Suite("An answer that is read while it comes")
struct StreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Twice: a\r\nx-twice: b\r\n\r\n"

  /// A server that answers everything with `head` and goes on as the feed does.
  private static func server(_ feed: RawFeed, head: String = head) throws -> RawServer {
    try RawServer { _ in RawAnswer(head, then: .feed(feed)) }
  }

  private static func stream(_ server: RawServer, idleSeconds: Int = 30) async throws -> StreamedExchange {
    try await HTTPClient().stream("GET", "http://127.0.0.1:\(server.port)/x?y", idleSeconds: idleSeconds)
  }

  /// Reads until that many octets have come.
  private static func read(_ count: Int, from stream: StreamedExchange) async throws -> [UInt8] {
    var octets: [UInt8] = []
    while octets.count < count, let piece = try await stream.next() { octets += piece }
    return octets
  }

  @Test("the head comes before the body, and each piece while the answer goes on")
  func pieces() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed)
    defer { server.stop() }
    let stream = try await Self.stream(server)
    #expect(stream.status == 200 && stream.header("content-TYPE") == "text/plain")
    #expect(stream.headers.filter { $0.name.lowercased() == "x-twice" }.map(\.value) == ["a", "b"])
    for text in ["first", "second"] {
      feed.send(text)
      #expect(try await Self.read(text.utf8.count, from: stream) == Array(text.utf8))
    }
    feed.end()
    #expect(try await stream.next() == nil)
    #expect(try await stream.next() == nil)
    #expect(server.requests.map(\.target) == ["/x?y"])
  }

  @Test("fields of an interim answer are not the answer's, and any status is an answer")
  func interim() async throws {
    let feed = RawFeed()
    let server = try Self.server(
      feed, head: "HTTP/1.1 103 Early\r\nX: early\r\n\r\nHTTP/1.1 410 Gone\r\nContent-Length: 2\r\n\r\nno")
    defer { server.stop() }
    let stream = try await Self.stream(server)
    #expect(stream.status == 410 && stream.header("X") == nil)
    #expect(try await Self.read(2, from: stream) == Array("no".utf8))
    #expect(try await stream.next() == nil)
  }

  @Test("more than a reader takes waits at the server, and arrives whole when it is read")
  func backPressure() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed)
    defer { server.stop() }
    let stream = try await Self.stream(server)
    // Far more than the client and the sockets of both sides hold.
    let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let blocks = 1_024
    for _ in 0..<blocks { feed.send(block) }
    feed.end()
    var (count, position) = (0, 0)
    var isEqual = true
    while let piece = try await stream.next() {
      count += piece.count
      for octet in piece {
        isEqual = isEqual && octet == block[position]
        position = position + 1 == block.count ? 0 : position + 1
      }
    }
    #expect(count == blocks * block.count && isEqual)
  }

  @Test("silence beyond the idle time ends it, before the head and after it", arguments: ["", head])
  func idle(head: String) async throws {
    let feed = RawFeed()
    let server = try Self.server(feed, head: head)
    defer { server.stop() }
    await #expect(throws: HTTPClientError.timedOut) {
      let stream = try await Self.stream(server, idleSeconds: 1)
      _ = try await stream.next()
    }
    await feed.over()
  }

  @Test("a single octet now and then is no silence, however long it goes on")
  func heartbeat() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed)
    defer { server.stop() }
    let stream = try await Self.stream(server, idleSeconds: 3)
    // On a thread of its own: a busy machine must not make silence of it.
    async let beats: Void = onOwnThread {
      for _ in 0..<12 {
        feed.send(":")
        usleep(300_000)
      }
      feed.end()
    }
    var count = 0
    while let piece = try await stream.next() { count += piece.count }
    #expect(count == 12)
    try await beats
  }

  @Test("who drops the stream ends the transfer")
  func dropped() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed)
    defer { server.stop() }
    do {
      let stream = try await Self.stream(server)
      feed.send("x")
      #expect(try await stream.next() == Array("x".utf8))
    }
    await feed.over()
  }

  @Test("the end of the reading task ends the transfer, also while it waits, and also before the head")
  func cancelled() async throws {
    for head in [Self.head, ""] {
      let feed = RawFeed()
      let server = try Self.server(feed, head: head)
      defer { server.stop() }
      let reading = Task {
        let stream = try await Self.stream(server)
        while try await stream.next() != nil {}
      }
      await server.wait(requests: 1)
      reading.cancel()
      await feed.over()
      _ = await reading.result
    }
  }

  @Test("who cancels while much waits lets the transfer's thread go")
  func cancelledWhileFull() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed)
    defer { server.stop() }
    let stream = try await Self.stream(server)
    for _ in 0..<256 { feed.send([UInt8](repeating: 1, count: 65_536)) }
    _ = try await stream.next()
    stream.cancel()
    await feed.over()
    #expect(try await stream.next() == nil)
  }

  @Test("an answer that ends before its length is a failure, and nobody at the port is unreachable")
  func broken() async throws {
    let feed = RawFeed()
    let server = try Self.server(feed, head: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
    let stream = try await Self.stream(server)
    #expect(try await Self.read(4, from: stream) == Array("half".utf8))
    feed.end()
    await #expect {
      _ = try await stream.next()
    } throws: {
      if case .failed? = $0 as? HTTPClientError { true } else { false }
    }
    server.stop()
    await #expect {
      _ = try await Self.stream(server)
    } throws: {
      if case .unreachable? = $0 as? HTTPClientError { true } else { false }
    }
  }
}
