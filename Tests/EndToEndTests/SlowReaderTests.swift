import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("A slow reader of the event stream")
struct SlowReaderTests {
  private static let past = 140
  private static let new = 40
  /// So that far more waits for the reader than the system keeps for it.
  private static let content = String(repeating: "x", count: 12_000)

  @Test("one that reads 8 KiB a second, and is far behind, is not cut off, and hears everything in order")
  func steady() async throws {
    try await Server.with { server in
      let stack = try await StreamTests.stack(on: server)
      let token = try #require(try await StreamTests.devices(1, on: server, stack.id).first)
      let first = try await Self.raise(1, on: server, stack)
      let past = try await Self.raise(Self.past, Self.content, on: server, stack)
      let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
      let head = """
        GET /v1/stacks/\(stack.id)/events HTTP/1.0\r
        Authorization: Bearer \(token)\r
        Last-Event-ID: \(first[0])\r
        \r

        """
      async let reading = onOwnThread {
        let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
        connection.send(head)
        var reader = EventStreamReader()
        var head: [UInt8]? = []
        var ids: [String] = []
        let slow = ContinuousClock.now + .seconds(30)
        while ids.count < Self.past + Self.new {
          let isSlow = ContinuousClock.now < slow
          // From the first octet on, lest the system lends a buffer to a reader that began fast.
          var octets = try connection.octets(atMost: isSlow ? 4_096 : 65_536)
          guard !octets.isEmpty else { break }
          if let begun = head {
            let all = begun + octets
            let end = all.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
            (head, octets) = end.map { (nil, Array(all[$0...])) } ?? (all, [])
          }
          for case .event(let event) in try reader.read(octets) where event.event == "alert" {
            ids.append(event.id)
          }
          if isSlow { usleep(500_000) }
        }
        return (ids, ContinuousClock.now - slow)
      }
      var new: [String] = []
      for _ in 0..<Self.new {
        new += try await Self.raise(1, on: server, stack)
        try await Task.sleep(for: .milliseconds(700))
      }
      let (heard, rest) = try await reading
      #expect(heard.count == Self.past + Self.new, "it broke off \(rest) after the slow half minute")
      #expect(heard == past + new)
    }
  }

  private static func raise(
    _ count: Int, _ content: String = "small", on server: Server, _ stack: (id: String, hook: String)
  ) async throws -> [String] {
    var ids: [String] = []
    for number in 0..<count {
      let reply = try await server.ask(
        "POST", "/v1/stacks/\(stack.id)/alerts", token: stack.hook,
        json: [
          "kind": "problem", "ref": .string("\(UUID().uuidString) \(number)"), "moment": "once",
          "alert": ["text": .string(content)],
        ])
      ids.append(try #require(reply.json["id"]?.string, "\(reply.status)"))
    }
    return ids
  }
}
