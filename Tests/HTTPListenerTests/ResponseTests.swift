import HTTPListener
import TestSupport
import Testing

@Suite("Answers")
struct ResponseTests {
  private func exchange(
    _ response: HTTPResponse, to method: String = "GET", headers: [(String, String)] = []
  ) async throws -> RawHTTPAnswer {
    let harness = try ListenerHarness(handler: { _ in response })
    let answer = try await harness.connected { connection in
      let answer = try connection.exchange(method, "/a", headers: headers)
      // The connection is still in step: another exchange works, or it is closed.
      if answer?.header("Connection") != "close" { _ = try connection.exchange("GET", "/b") }
      return answer
    }
    await harness.listener.stop()
    return try #require(answer)
  }

  @Test("status, fields in order and content go out as they are, with length and date")
  func goesOut() async throws {
    let answer = try await exchange(
      .init(status: 201, headers: [("X-B", "1"), ("X-A", "ä"), ("X-B", "2")], body: Array("hello".utf8)))
    #expect(answer.status == 201)
    #expect(answer.text == "hello")
    #expect(answer.headers.filter { $0.name.hasPrefix("X-") }.map(\.value) == ["1", "ä", "2"])
    #expect(answer.header("Content-Length") == "5")
    #expect(answer.header("Date") != nil)
    #expect(answer.header("Connection") == nil)
  }

  @Test("every status goes out", arguments: [200, 202, 204, 304, 401, 404, 410, 429, 500, 503, 507, 599])
  func statuses(_ status: Int) async throws {
    #expect(try await exchange(.init(status: status, body: Array("x".utf8))).status == status)
  }

  @Test("HEAD gets the fields of GET and no content")
  func head() async throws {
    let answer = try await exchange(.init(status: 200, body: Array("hello".utf8)), to: "HEAD")
    #expect(answer.header("Content-Length") == "5")
    #expect(answer.body.isEmpty)
  }

  @Test("204 has neither content nor length, even where the handler gave content")
  func noContent() async throws {
    let answer = try await exchange(.init(status: 204, body: Array("hello".utf8)))
    #expect(answer.header("Content-Length") == nil)
    #expect(answer.body.isEmpty)
  }

  @Test("large content arrives whole")
  func large() async throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    #expect(try await exchange(.init(status: 200, body: body)).body == body)
  }

  @Test("what says where the message ends is the listener's own")
  func framingIsOurs() async throws {
    let answer = try await exchange(
      .init(
        status: 200,
        headers: [("content-length", "99"), ("Transfer-Encoding", "chunked"), ("Connection", "keep-alive")],
        body: Array("hello".utf8)))
    #expect(answer.headers.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["5"])
    #expect(answer.header("Transfer-Encoding") == nil)
    #expect(answer.text == "hello")
  }

  @Test("a handler can ask for the connection to be closed")
  func closes() async throws {
    let answer = try await exchange(.init(status: 200, headers: [("connection", "Close")]))
    #expect(answer.header("Connection") == "close")
  }

  @Test("a client that asks for it is closed after the answer")
  func clientCloses() async throws {
    #expect(
      try await exchange(.init(status: 200), headers: [("Connection", "close")]).header("Connection")
        == "close")
  }

  @Test(
    "an answer that is not well-formed becomes a bare 500, never a split answer",
    arguments: [
      HTTPResponse(status: 200, headers: [("X", "a\r\nSet-Cookie: b=c")], body: [0x61]),
      HTTPResponse(status: 200, headers: [("X\r\nY", "a")], body: [0x61]),
      HTTPResponse(status: 200, headers: [("X", "a\u{0}")], body: [0x61]),
      HTTPResponse(status: 200, headers: [("", "a")], body: [0x61]),
      HTTPResponse(status: 0), HTTPResponse(status: 100), HTTPResponse(status: 99_999),
      HTTPResponse(status: -1),
    ])
  func malformed(_ response: HTTPResponse) async throws {
    let answer = try await exchange(response)
    #expect(answer.status == 500)
    #expect(answer.body.isEmpty)
    #expect(answer.header("X") == nil)
    #expect(answer.header("Set-Cookie") == nil)
  }

  @Test("HTTP/1.0 is answered and closed, or kept where it asks for it")
  func oldVersion() async throws {
    let harness = try ListenerHarness()
    let closed = try await harness.connected { connection in
      connection.send("GET /a HTTP/1.0\r\n\r\n")
      return try connection.answersToEnd().map(\.status)
    }
    #expect(closed == [200])
    let kept = try await harness.connected { connection in
      connection.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n")
      return try connection.answersToEnd().map(\.status)
    }
    #expect(kept == [200, 200])
    await harness.listener.stop()
  }
}
