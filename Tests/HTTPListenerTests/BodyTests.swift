import HTTPListener
import TestSupport
import Testing

@Suite("Content of requests")
struct BodyTests {
  private static func limits(body: Int = 65_536) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyOctets = body
    return limits
  }

  private static func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  private static func chunked(_ body: [UInt8], by size: Int) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      octets += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
      rest = rest.dropFirst(size)
    }
    return octets + Array("0\r\n\r\n".utf8)
  }

  private static let chunkedHead = Array(
    "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

  @Test(
    "content of every size up to the limit arrives whole",
    arguments: [0, 1, 4_095, 16_384, 32_768, 65_535, 65_536])
  func arrives(_ count: Int) async throws {
    let harness = try ListenerHarness()
    let body = Self.octets(count)
    let answer = try await harness.connected { try $0.exchange("POST", "/a", body: body) }
    #expect(answer?.status == 200)
    #expect(harness.requests.map(\.body) == [body])
    await harness.listener.stop()
  }

  @Test("chunked content arrives whole, in chunks of any size", arguments: [1, 7, 4_096, 65_536])
  func arrivesChunked(_ size: Int) async throws {
    let harness = try ListenerHarness()
    let body = Self.octets(size == 1 ? 2_000 : 65_536)
    let answers = try await harness.connected { connection in
      connection.send(Self.chunkedHead + Self.chunked(body, by: size))
      return try connection.answersToEnd()
    }
    #expect(answers.map(\.status) == [200])
    #expect(answers.first?.header("Connection") == "close")
    #expect(harness.requests.map(\.body) == [body])
    await harness.listener.stop()
  }

  @Test("content that is announced as too large is refused before a single octet of it is sent")
  func announcedTooLarge() async throws {
    let harness = try ListenerHarness()
    let answers = try await harness.connected { connection in
      connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\nExpect: 100-continue\r\n\r\n")
      return try connection.answersToEnd()
    }
    #expect(answers.map(\.status) == [413])
    #expect(answers.first?.header("Connection") == "close")
    #expect(harness.refusals == [.bodyTooLarge])
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("chunked content that turns out too large is refused at its end")
  func chunkedTooLarge() async throws {
    let harness = try ListenerHarness(limits: Self.limits(body: 100))
    let answers = try await harness.connected { connection in
      connection.send(Self.chunkedHead + Self.chunked(Self.octets(50_000), by: 99))
      return try connection.answersToEnd()
    }
    #expect(answers.map(\.status) == [413])
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("chunked content that does not end is cut off")
  func chunkedWithoutEnd() async throws {
    let harness = try ListenerHarness(limits: Self.limits(body: 100))
    let answers = try await harness.connected { connection in
      connection.send(Self.chunkedHead)
      let chunk = Array("8000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x8000) + [13, 10]
      for _ in 0..<64 { connection.send(chunk) }
      return try connection.answersToEnd()
    }
    #expect(answers.isEmpty)
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("the go-ahead comes before the content where it was asked for")
  func goAhead() async throws {
    let harness = try ListenerHarness()
    let statuses = try await harness.connected { connection in
      connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      let first = try connection.answer()?.status
      connection.send("abc")
      return [first, try connection.answer()?.status]
    }
    #expect(statuses == [100, 200])
    #expect(harness.requests.map(\.body) == [Array("abc".utf8)])
    await harness.listener.stop()
  }

  @Test("content that stops short never reaches the handler")
  func stopsShort() async throws {
    // Where the end of the stream comes together with the last octets the library does not notice it.
    var limits = HTTPLimits()
    limits.bodySeconds = 1
    let harness = try ListenerHarness(limits: limits)
    let answers = try await harness.connected { connection in
      connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabc")
      connection.finishSending()
      return try connection.answersToEnd()
    }
    #expect(answers.isEmpty)
    #expect(harness.requests.isEmpty)
    await harness.listener.stop()
  }

  @Test("content that comes octet by octet arrives whole")
  func trickles() async throws {
    let harness = try ListenerHarness()
    let answer = try await harness.connected { connection in
      for octet in Array("POST /a HTTP/1.1\r\nHost: a\r\nX: b\r\nContent-Length: 3\r\n\r\nabc".utf8) {
        connection.send([octet])
      }
      return try connection.answer()
    }
    #expect(answer?.status == 200)
    #expect(harness.requests.first?.headers.map(\.name) == ["Host", "X", "Content-Length"])
    #expect(harness.requests.map(\.body) == [Array("abc".utf8)])
    await harness.listener.stop()
  }
}
