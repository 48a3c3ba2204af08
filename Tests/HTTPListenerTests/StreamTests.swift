import Foundation
import HTTPListener
import TestSupport
import Testing

@Suite("An answer that is written bit by bit")
struct StreamTests {
  @Test(
    "the head comes before any content, and each piece as soon as it is written", arguments: [false, true])
  func pieces(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      let head = try #require(try connection.text(through: "\r\n\r\n"))
      #expect(head.contains("Content-Type: text/event-stream"))
      #expect(head.contains("Transfer-Encoding: chunked"))
      #expect(!head.contains("Content-Length"))
      let stream = waitBlocking { await harness.stream() }
      for piece in ["one", "two", "three"] {
        #expect(stream.write(piece))
        #expect(try connection.text(through: "\r\n\(piece)\r\n") == "\(piece.utf8.count)\r\n\(piece)\r\n")
      }
      stream.stream.finish()
      #expect(try connection.text(through: StreamHarness.lastChunk) == StreamHarness.lastChunk)
      // The connection is still in step.
      connection.send(StreamHarness.request)
      #expect(try connection.text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200 ") == true)
    }
    let first = await harness.stream()
    await first.ends.reaches(1)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1, 1])
    #expect(!first.write("late"))
  }

  @Test("the head is not held back until there is content", arguments: [false, true])
  func headAtOnce(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let clock = ContinuousClock()
    var fastest = Duration.seconds(60)
    for _ in 0..<10 {
      let duration = try await harness.base.connected { connection in
        let began = clock.now
        connection.send(StreamHarness.request)
        _ = try connection.text(through: "\r\n\r\n")
        return clock.now - began
      }
      fastest = min(fastest, duration)
    }
    // Data that is held back waits 40 ms for an acknowledgement, or 200 ms.
    #expect(fastest < .milliseconds(250))
    await harness.stop()
  }

  @Test("what was written before the answer went out is sent with it", arguments: [false, true])
  func early(byTLS: Bool) async throws {
    let long = [UInt8](repeating: 0x61, count: 200_000)
    let harness = try StreamHarness(byTLS: byTLS) { stream in
      #expect(stream.write("first"))
      #expect(stream.stream.write(long))
      #expect(stream.stream.waitingOctets == 200_005)
      stream.stream.finish()
      #expect(!stream.stream.isOpen)
    }
    let answer = try await harness.base.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.body == Array("first".utf8) + long)
    await harness.stream().ends.reaches(1)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test(
    "HTTP/1.0 gets the octets as they are, and the end of the connection at their end",
    arguments: [false, true])
  func oldVersion(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let own = try harness.descriptors()
    let octets = try await harness.base.connected { connection in
      connection.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let stream = waitBlocking { await harness.stream() }
      let head = try #require(try connection.text(through: "\r\n\r\n"))
      #expect(!head.contains("Transfer-Encoding"))
      #expect(!head.contains("Content-Length"))
      #expect(stream.write("one"))
      #expect(try connection.text(through: "one") == "one")
      #expect(stream.write(String(repeating: "x", count: 5_000)))
      stream.stream.finish()
      return try connection.octetsToEnd()
    }
    #expect(octets == [UInt8](repeating: 0x78, count: 5_000))
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test(
    "where an answer has no content the stream ends at once",
    arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 99)], ["1.1", "1.0"])
  func noContent(request: (method: String, status: Int), version: String) async throws {
    let harness = try StreamHarness(status: request.status)
    let own = try harness.descriptors()
    let text = try await harness.base.connected { connection in
      connection.send("\(request.method) /a HTTP/\(version)\r\nHost: a\r\nConnection: close\r\n\r\n")
      return String(decoding: try connection.octetsToEnd(), as: UTF8.self)
    }
    #expect(text.hasPrefix("HTTP/1.1 \(request.status == 99 ? 500 : request.status) "))
    #expect(text.hasSuffix("\r\n\r\n"))
    #expect(text.components(separatedBy: "\r\n\r\n").count == 2)
    #expect(!text.contains("chunked"))
    #expect(!text.contains("Content-Length") || request.method == "GET")
    let stream = await harness.stream()
    await stream.ends.reaches(1)
    #expect(!stream.stream.isOpen && !stream.write("late"))
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a stream that is cut breaks off without a last chunk", arguments: [false, true])
  func cut(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let own = try harness.descriptors()
    let rest = try await harness.streaming { connection, stream in
      #expect(stream.write("one"))
      _ = try connection.text(through: "one\r\n")
      stream.stream.cut()
      #expect(!stream.write("late"))
      #expect(stream.ends.count == 1)
      return try connection.octetsToEnd()
    }
    #expect(rest.isEmpty)
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a stream that was cut before its answer went out breaks off after the head")
  func cutEarly() async throws {
    let harness = try StreamHarness { $0.stream.cut() }
    let own = try harness.descriptors()
    let octets = try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      return try connection.octetsToEnd()
    }
    #expect(!String(decoding: octets, as: UTF8.self).contains(StreamHarness.lastChunk))
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("it has no deadline, and no timeout of the library ends it while it waits", arguments: [false, true])
  func lasts(byTLS: Bool) async throws {
    var limits = HTTPLimits()
    (limits.headSeconds, limits.bodySeconds, limits.idleSeconds) = (1, 1, 1)
    let harness = try StreamHarness(limits: limits, byTLS: byTLS)
    let chunk = try await harness.streaming { connection, stream in
      waitBlocking { try? await Task.sleep(for: .milliseconds(3_500)) }
      #expect(stream.write("still here"))
      return try connection.text(through: "here")
    }
    #expect(chunk == "A\r\nstill here")
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("many writers at once lose nothing, and each keeps its order", arguments: [false, true])
  func manyWriters(byTLS: Bool) async throws {
    let (writers, lines) = (8, 2_000)
    let harness = try StreamHarness(byTLS: byTLS, capacity: 1_048_576)
    let text = try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      let stream = waitBlocking { await harness.stream() }
      Task {
        await withTaskGroup(of: Void.self) { group in
          for writer in 0..<writers {
            group.addTask {
              for line in 0..<lines { #expect(stream.write("\(writer) \(line)\n")) }
            }
          }
        }
        stream.stream.finish()
      }
      return try #require(try connection.answer(), "it broke off").text
    }
    var next = Array(repeating: 0, count: writers)
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      try #require(numbers.count == 2 && next.indices.contains(numbers[0]))
      #expect(numbers[1] == next[numbers[0]])
      next[numbers[0]] += 1
    }
    #expect(next == Array(repeating: lines, count: writers))
    await harness.stop()
  }
}
