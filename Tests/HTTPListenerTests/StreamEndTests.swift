import Foundation
import HTTPListener
import TestSupport
import Testing

@Suite("The end of a stream")
struct StreamEndTests {
  @Test(
    "a reader that leaves is noticed within two seconds, though nothing is written, and nothing of it stays",
    arguments: [false, true], [false, true])
  func readerLeaves(byTLS: Bool, isReset: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let own = try harness.descriptors()
    let clock = ContinuousClock()
    let began = try await harness.streaming { connection, _ in
      connection.close(isReset: isReset)
      return clock.now
    }
    let stream = await harness.stream()
    await stream.ends.reaches(1)
    // The sweep comes once a second; the rest is for a machine that is busy.
    #expect(clock.now - began < .seconds(10))
    #expect(!stream.write("late"))
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(stream.ends.count == 1)
  }

  @Test("a reader on a Unix socket is served, and noticed when it leaves")
  func unixSocket() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("wake-\(UUID().uuidString)").path
    let harness = try StreamHarness(address: .unix(path: path))
    let text = try await harness.streaming { connection, stream in
      #expect(stream.write("one"))
      return try connection.text(through: "one\r\n")
    }
    #expect(text == "3\r\none\r\n")
    await harness.stream().ends.reaches(1)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a reader that leaves while octets are on their way to it is noticed too", arguments: [false, true])
  func readerLeavesInTheMiddle(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS, capacity: 16_777_216)
    let own = try harness.descriptors()
    try await harness.streaming { connection, stream in
      #expect(stream.stream.write([UInt8](repeating: 0x61, count: 16_000_000)))
      connection.close()
    }
    await harness.stream().ends.reaches(1)
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test(
    "a reader that does not read is cut off once its octets exceed the capacity", arguments: [false, true])
  func overflow(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let own = try harness.descriptors()
    let octets = try await harness.streaming { connection, stream in
      let piece = [UInt8](repeating: 0x61, count: 65_536)
      // The buffers of the system take some of it.
      for _ in 0..<10_000 {
        guard stream.stream.write(piece) else { break }
        #expect(stream.stream.waitingOctets <= 262_144)
      }
      #expect(!stream.stream.isOpen)
      #expect(stream.stream.waitingOctets == 0)
      #expect(stream.ends.count == 1)
      return try connection.octetsToEnd()
    }
    #expect(octets.suffix(5) != Array(StreamHarness.lastChunk.utf8)[...])
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a writer waits for room, and the reader gets everything")
  func backpressure() async throws {
    let harness = try StreamHarness(capacity: 100_000)
    let piece = [UInt8](repeating: 0x61, count: 50_000)
    let body = try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      let stream = waitBlocking { await harness.stream() }
      Task {
        for _ in 0..<200 {
          #expect(await stream.stream.drained(below: 50_001))
          #expect(stream.stream.write(piece))
        }
        #expect(await stream.stream.drained(below: 1))
        stream.stream.finish()
        #expect(await !stream.stream.drained(below: 1))
      }
      return try connection.answer()?.body
    }
    #expect(body?.count == 10_000_000)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a writer that waits for room is told of the end", arguments: ["cut", "finish", "reader", "stop"])
  func waitingWriter(end: String) async throws {
    let harness = try StreamHarness(capacity: 33_554_432)
    let isDrained = try await harness.streaming { connection, stream in
      #expect(stream.stream.write([UInt8](repeating: 0x61, count: 33_554_432)))
      let waiting = Task { await stream.stream.drained(below: 1) }
      switch end {
      case "cut": stream.stream.cut()
      case "finish": stream.stream.finish()
      case "reader": connection.close(isReset: true)
      default: waitBlocking { await harness.stop() }
      }
      return waitBlocking { await waiting.value }
    }
    #expect(!isDrained)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("however many end it at once, it ends once")
  func once() async throws {
    for _ in 0..<50 {
      let harness = try StreamHarness()
      try await harness.streaming { connection, stream in
        waitBlocking {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { stream.stream.cut() }
            group.addTask { stream.stream.finish() }
            group.addTask { for _ in 0..<100 { _ = stream.write("text") } }
            group.addTask { await harness.stop() }
          }
        }
        _ = try connection.octetsToEnd()
      }
      #expect(harness.made.map(\.ends.count) == [1])
    }
  }

  @Test("a stream ends where its client has left before it got an answer", arguments: [false, true])
  func leftBefore(isReset: Bool) async throws {
    let (opened, arrived) = (Tally(), Tally())
    let harness = try StreamHarness { _ in
      arrived.add()
      await opened.reaches(1)
    }
    let own = try harness.descriptors()
    try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      waitBlocking { await arrived.reaches(1) }
      connection.close(isReset: isReset)
    }
    opened.add()
    await harness.stream().ends.reaches(1)
    #expect(try await harness.isAlone(own: own))
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a stream ends where its handler was answered for")
  func answeredFor() async throws {
    var limits = HTTPLimits()
    limits.drainSeconds = 0
    let opened = Tally()
    let harness = try StreamHarness(limits: limits) { _ in await opened.reaches(1) }
    let answers = try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      let stream = waitBlocking { await harness.stream() }
      waitBlocking { await harness.stop() }
      #expect(stream.ends.count == 0)
      opened.add()
      waitBlocking { await stream.ends.reaches(1) }
      return try connection.answersToEnd().map(\.status)
    }
    #expect(answers == [503])
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test("a stream that nobody has any more has ended")
  func letGo() {
    let ends = Tally()
    do {
      let stream = HTTPStream(capacity: 10) { ends.add() }
      #expect(stream.write([1, 2, 3]))
      stream.finish()
      #expect(ends.count == 0)
    }
    #expect(ends.count == 1)
  }
}
