import PushDelivery
import TestSupport
import Testing

@Suite("The sender: answers")
struct PushSenderAnswerTests {
  @Test(
    "every 2xx is a success, whatever else comes with it",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 201 Created\r\nLocation: /m/1\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 299 Whatever\r\nContent-Length: 0\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nuntil the end",
      "HTTP/1.0 201\r\n\r\n", "HTTP/1.1 201 Created\r\n\r\nno length at all",
      "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
      "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot hexadecimal\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nRetry-After: 60\r\n\r\n",
    ])
  func success(octets: String) async throws {
    let (answer, requests) = try await PushHarness.send { _ in RawAnswer(octets, then: .close) }
    #expect(answer.outcome == .accepted)
    #expect((200..<300).contains(answer.status ?? 0))
    #expect(requests.count == 1)
  }

  @Test(
    "a large or endless body is a success all the same, and is not read to its end",
    arguments: ["Content-Length: 1048576", "Transfer-Encoding: chunked", "Connection: close"])
  func large(framing: String) async throws {
    let part = String(repeating: "x", count: 1_024)
    let chunk = framing.hasPrefix("Transfer") ? "400\r\n\(part)\r\n" : part
    let head = "HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n"
    let (answer, requests) = try await PushHarness.send { _ in
      RawAnswer(head + String(repeating: chunk, count: 1_024), then: .close)
    }
    #expect(answer.outcome == .accepted)
    #expect(requests.count == 1)
    let (endless, _) = try await PushHarness.send { _ in
      RawAnswer("HTTP/1.1 410 Gone\r\n\r\n" + String(repeating: "x", count: 4_096), then: .repeatForever)
    }
    #expect(endless.outcome == .gone)
  }

  @Test("a body that never ends in time is a success by its status")
  func stalledBody() async throws {
    let configuration = PushHarness.configuration { $0.totalTimeoutMilliseconds = 300 }
    let (answer, _) = try await PushHarness.send(configuration: configuration) { _ in
      RawAnswer("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nwait", then: .silence)
    }
    #expect(answer.outcome == .accepted)
    #expect(answer.status == 201)
  }

  @Test(
    "a status before a broken connection is the answer",
    arguments: [(410, PushOutcome.gone), (201, .accepted), (503, .server)])
  func statusWins(status: Int, outcome: PushOutcome) async throws {
    let (answer, _) = try await PushHarness.send { _ in
      RawAnswer("HTTP/1.1 \(status) X\r\nContent-Length: 100\r\n\r\npart", then: .reset)
    }
    // A reset may overtake the octets before it; then there is no answer at all.
    #expect(answer.outcome == outcome || answer.outcome == .network)
  }

  @Test(
    "what is no answer is a fault of the network",
    arguments: [
      RawAnswer("", then: .close), RawAnswer("", then: .reset), RawAnswer("garbage\r\n\r\n", then: .close),
      RawAnswer("HTTP/1.1 100 Continue\r\n\r\n", then: .close), RawAnswer("HTTP/1.1 ", then: .close),
      RawAnswer("HTTP/1.1 103 Early Hints\r\n\r\n", then: .repeatForever),
      RawAnswer(
        "HTTP/1.1 103 Early Hints\r\nX: " + String(repeating: "x", count: 70_000) + "\r\n\r\n", then: .silence
      ),
      RawAnswer("HTTP/9.9 201 Created\r\n\r\n", then: .close), RawAnswer("SSH-2.0-x\r\n", then: .silence),
    ])
  func noAnswer(octets: RawAnswer) async throws {
    let configuration = PushHarness.configuration { $0.totalTimeoutMilliseconds = 2_000 }
    let (answer, requests) = try await PushHarness.send(configuration: configuration) { _ in octets }
    #expect(answer.outcome == .network)
    #expect(answer.status == nil)
    #expect(answer.reason != nil)
    #expect(requests.count == 1)
  }

  @Test("an endless head ends the attempt with the status that stood first")
  func endlessHead() async throws {
    let (answer, _) = try await PushHarness.send { _ in
      RawAnswer("HTTP/1.1 201 Created\r\n" + String(repeating: "X: y\r\n", count: 20_000), then: .silence)
    }
    #expect(answer.outcome == .accepted)
  }

  @Test(
    "a redirect is never followed", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let other = try RawServer { _ in .status(201) }
    defer { other.stop() }
    let location = "http://127.0.0.1:\(other.port)/elsewhere"
    let (answer, requests) = try await PushHarness.send { _ in
      .status(status, headers: [("Location", location), ("Refresh", "0; url=\(location)")])
    }
    #expect(answer.outcome == .redirected)
    #expect(answer.status == status)
    #expect(requests.count == 1)
    #expect(other.accepted == 0)
  }

  @Test(
    "the pause that is asked for comes along",
    arguments: [
      (429, [("Retry-After", "3")], 3), (503, [("retry-AFTER", " 120 \t")], 120), (429, [], nil),
      (429, [("Retry-After", "-5")], nil), (503, [("Retry-After", "99999999999999999999")], 86_400),
      (429, [("Retry-After", "Thu, 01 Jan 2026 00:00:03 GMT")], 3),
      // The push server's clock is an hour fast; its own date says so.
      (
        429, [("Date", "Thu, 01 Jan 2026 01:00:00 GMT"), ("Retry-After", "Thu, 01 Jan 2026 01:00:03 GMT")], 3
      ),
      (429, [("Retry-After", "Wed, 31 Dec 2025 00:00:00 GMT")], 0),
    ] as [(Int, [(String, String)], Int?)])
  func retryAfter(status: Int, headers: [(String, String)], seconds: Int?) async throws {
    let (answer, _) = try await PushHarness.send { _ in .status(status, headers: headers) }
    #expect(answer.outcome == .throttled)
    #expect(answer.retryAfterSeconds == seconds)
  }

  @Test("a Retry-After of an interim answer or a trailer is none")
  func otherRetryAfter() async throws {
    let (answer, _) = try await PushHarness.send { _ in
      RawAnswer(
        "HTTP/1.1 103 Early\r\nRetry-After: 5\r\n\r\nHTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n"
          + "Trailer: Retry-After\r\n\r\n1\r\nx\r\n0\r\nRetry-After: 5\r\n\r\n")
    }
    #expect(answer.outcome == .server)
    #expect(answer.retryAfterSeconds == nil)
  }

  @Test("cookies that a push server sets are forgotten")
  func cookies() async throws {
    let server = try RawServer { _ in
      .status(201, headers: [("Set-Cookie", "a=b; Path=/"), ("Alt-Svc", "h2=\":1\"")])
    }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for _ in 0..<2 { _ = await sender.send(try PushHarness.message(to: origin + "/x", policy)) }
    }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
  }
}
