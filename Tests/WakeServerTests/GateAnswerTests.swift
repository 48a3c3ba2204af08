import HTTPListener
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("What a request is told that no route has seen")
struct GateAnswerTests {
  /// A request, and the status and code that it is answered with.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let raw: String
    let status: Int
    let code: String

    init(_ name: String, _ raw: String, _ status: Int, _ code: String = "malformed-request") {
      (testDescription, self.raw, self.status, self.code) = (name, raw, status, code)
    }
  }

  private static let post = "POST /healthz HTTP/1.1\r\nHost: a\r\n"

  static let all: [Refused] = [
    Refused("two lengths", "\(post)Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
    Refused(
      "a length beside a coding", "\(post)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    Refused("two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    Refused(
      "a body that is announced as too large", "\(post)Content-Length: 65537\r\n\r\n", 413, "too-large"),
    Refused(
      "a body that turns out too large",
      "\(post)Transfer-Encoding: chunked\r\n\r\n10001\r\n\(String(repeating: "a", count: 65_537))\r\n0\r\n\r\n",
      413,
      "too-large"),
    Refused("an expectation that nobody meets", "\(post)Expect: tea\r\nContent-Length: 0\r\n\r\n", 417),
    Refused(
      "more fields than any client sends",
      "\(post)\((0..<101).map { "X-\($0): a\r\n" }.joined())Content-Length: 0\r\n\r\n", 431),
    Refused("a coding that is not chunked", "\(post)Transfer-Encoding: gzip\r\n\r\n", 501),
    Refused("HTTP/1.2", "GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n", 505),
  ]

  @Test("its own status, as a problem, under a name, and then the connection ends", arguments: all)
  func refused(_ request: Refused) async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let port = try service.port
      let answers = try await onOwnThread {
        let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
        connection.send(request.raw)
        connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return try connection.answersToEnd()
      }
      #expect(answers.map(\.status) == [request.status])
      try Self.check(#require(answers.first), request.status, request.code)
    }
  }

  @Test("one connection too many from an address is told 503 and when to come again")
  func tooMany() async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let port = try service.port
      let answers = try await onOwnThread {
        // Each is asked, so that the service has surely counted it.
        let all = try (0...HTTPLimits().connectionsPerAddress).map { _ in
          let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
          return (connection, try connection.exchange("GET", "/healthz"))
        }
        return all.map(\.1)
      }
      #expect(answers.dropLast().allSatisfy { $0?.status == 200 })
      let last = try #require(answers.last ?? nil)
      try Self.check(last, 503, "unavailable")
      #expect(last.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
      #expect(last.header("Connection")?.lowercased() == "close")
    }
  }

  private static func check(_ answer: RawHTTPAnswer, _ status: Int, _ code: String) throws {
    #expect(answer.status == status)
    #expect(answer.header("Content-Type") == "application/problem+json")
    #expect(answer.header("X-Request-Id")?.isEmpty == false)
    let problem = try StrictJSON.parse(answer.body)
    #expect(problem["code"]?.string == code && problem["status"]?.integer == Int64(status))
    #expect(problem["detail"]?.string?.hasSuffix(".") == true)
  }
}
