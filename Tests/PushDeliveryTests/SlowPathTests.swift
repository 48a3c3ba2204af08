import Foundation
import TestSupport
import Testing

@testable import PushDelivery

@Suite("The sender: answers that trickle, and networks that swallow")
struct SlowPathTests {
  @Test(
    "a head that trickles ends in time; a status that came with it counts",
    arguments: [
      ("HTTP/1.", PushOutcome.network), ("HTTP/1.1 201 Created\r\nX-Slow: ", .accepted),
      ("HTTP/1.1 410 Gone\r\nX-Slow: ", .gone),
    ])
  func tricklingHead(beginning: String, outcome: PushOutcome) async throws {
    let feed = RawFeed()
    let trickle = Task {
      while !Task.isCancelled {
        feed.send("1")
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { trickle.cancel() }
    let configuration = PushHarness.configuration { $0.totalTimeoutMilliseconds = 500 }
    let (answer, requests) = try await PushHarness.send(configuration: configuration) { _ in
      RawAnswer(beginning, then: .feed(feed))
    }
    #expect(answer.outcome == outcome, "\(answer)")
    // Not at once: both clocks count whole milliseconds, and need not begin one at the same moment.
    #expect(answer.milliseconds >= 490)
    #expect(requests.count == 1)
  }

  @Test(
    "what frames an answer is counted too: the attempt ends long before its time",
    arguments: [
      // An extension of a chunk is handed to nobody (RFC 9112 §7.1.1), and neither is a line without an end.
      ("HTTP/1.1 410 Gone\r\nTransfer-Encoding: chunked\r\n\r\n", "1;x=", "\r\nb\r\n", PushOutcome.gone),
      ("HTTP/1.1 201 Created\r\nX: ", "", "", .accepted),
      ("HTTP/1.1 201 ", "", "", .network),
    ])
  func framing(head: String, before: String, after: String, outcome: PushOutcome) async throws {
    let feed = RawFeed()
    let flood = Task {
      while !Task.isCancelled {
        feed.send(before + String(repeating: "a", count: 1_024) + after)
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    defer { flood.cancel() }
    let (answer, requests) = try await PushHarness.send { _ in RawAnswer(head, then: .feed(feed)) }
    #expect(answer.outcome == outcome, "\(answer)")
    #expect(answer.status != nil || answer.reason == NetworkReason.tooMuch.rawValue)
    #expect(answer.milliseconds < PushHarness.configuration().totalTimeoutMilliseconds / 2)
    #expect(requests.count == 1)
  }

  @Test("what came over a kept connection in answer to others counts for none of them")
  func keptConnection() async throws {
    let body = String(repeating: "x", count: 16_384)
    let server = try RawServer { request in
      guard request.target == "/slow" else { return .status(201, body: body) }
      // Longer than an answer goes uncounted.
      usleep(200_000)
      return .status(201)
    }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for path in Array(repeating: "/quick", count: 10) + ["/slow"] {
        let answer = await sender.send(try PushHarness.message(to: origin + path, policy))
        #expect(answer.outcome == .accepted, "\(answer)")
      }
    }
    #expect(server.accepted == 1)
  }

  @Test("IPv6 that swallows every packet falls back to IPv4 in time")
  func deadIPv6() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let dropping = try SYNDropper(ipv6Port: server.port)
    let addresses = [
      try #require(IPAddress(parsing: "::1")), try #require(IPAddress(parsing: "127.0.0.1")),
    ]
    let configuration = PushHarness.configuration {
      $0.connectTimeoutMilliseconds = 5_000
      $0.totalTimeoutMilliseconds = 10_000
      $0.resolver = { _ in addresses }
    }
    let allow = "127.0.0.0/8, ::1/128"
    let answer = try await PushHarness.withSender(allow: allow, configuration: configuration) {
      sender, policy in
      await sender.send(try PushHarness.message(to: "http://push.example:\(dropping.port)/x", policy))
    }
    #expect(answer.outcome == .accepted, "\(answer)")
    #expect(server.requests.count == 1)
    #expect(answer.milliseconds < 5_000)
  }
}
