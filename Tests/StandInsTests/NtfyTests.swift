import Foundation
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing

@Suite("Wakes through ntfy, as its subscribe API describes it")
struct NtfyTests {
  private static let topic = "upTopicOfTheTests"

  /// A stand-in of ntfy: answers each subscription with the next feed.
  private static func ntfy(_ feeds: [RawFeed]) throws -> RawServer {
    let left = Mutex(feeds)
    return try RawServer { request in
      guard request.method == "GET", request.target.hasPrefix("/\(topic)/json"),
        let feed = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
      else { return .status(404) }
      return RawAnswer(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=utf-8\r\n\r\n"
          + "{\"id\":\"open1\",\"time\":1767225600,\"event\":\"open\",\"topic\":\"\(topic)\"}\n",
        then: .feed(feed))
    }
  }

  private static func message(_ id: String, _ body: [UInt8]) -> String {
    JSONValue.object([
      "id": .string(id), "time": 1_767_225_600, "expires": 1_767_268_800, "event": "message",
      "topic": .string(topic), "message": .string(Data(body).base64EncodedString()), "encoding": "base64",
    ]).text + "\n"
  }

  @Test("the endpoint is the topic's with ?up=1, and binary messages of its JSON stream are wakes")
  func wakes() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let feeds = [RawFeed(), RawFeed()]
    let ntfy = try Self.ntfy(feeds)
    defer { ntfy.stop() }
    let url = "http://127.0.0.1:\(ntfy.port)/\(Self.topic)"
    try await RunningCompanion.with([service], receiver: .ntfy(topic: url)) { companion in
      #expect(service.state.endpoint == url + "?up=1")
      #expect(companion.book.state.listen == nil)
      service.change { $0.alerts = [FakeService.alert(1)] }
      let wake = Self.message("message1", try service.wakeBody())
      let cut = wake.index(wake.startIndex, offsetBy: 40)
      feeds[0].send("{\"id\":\"k\",\"time\":1,\"event\":\"keepalive\",\"topic\":\"x\"}\n" + wake[..<cut])
      feeds[0].send(wake[cut...] + "\n")
      _ = try await companion.note("read")
      feeds[0].send(Self.message("message2", [1, 2, 3]))
      _ = try await companion.note("undecryptable")
      feeds[0].send("{\"id\":\"m3\",\"event\":\"message\",\"message\":\"triggered\"}\nno JSON\n")
      _ = try await companion.note("undecryptable")
      feeds[0].end()
      // Taken up after the last message.
      feeds[1].send(Self.message("message4", try service.wakeBody(receipt: "receipt-4")))
      _ = try await companion.note("read")
      #expect(
        ntfy.requests.map(\.target) == ["/\(Self.topic)/json?since=all", "/\(Self.topic)/json?since=m3"])
      #expect(service.requests("GET", "/alerts").last?.header("Wake-Receipt") == "receipt-4")
      #expect(companion.shown == ["epoch-1"])
    }
  }

  @Test("without push a companion registers without an endpoint, and reads when it runs")
  func noPush() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    service.change { $0.alerts = [FakeService.alert(1)] }
    try await RunningCompanion.with([service], receiver: .none) { companion in
      _ = try await companion.note("alert")
      let body = try #require(service.state.changes.first)
      #expect(body["endpoint"] == nil && body["keys"] == nil && body["vapidPublicKey"] == nil)
      #expect(companion.said.first?["listening"] == .null)
    }
  }
}

extension RawFeed {
  fileprivate func send(_ text: Substring) { send(String(text)) }
}
