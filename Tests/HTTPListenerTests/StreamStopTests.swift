import HTTPListener
import TestSupport
import Testing

@Suite("Stopping a listener that streams")
struct StreamStopTests {
  @Test("streams end cleanly and at once, however many there are", arguments: [(200, false), (50, true)])
  func many(count: Int, byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS)
    let clock = ContinuousClock()
    let read = Tally()
    let bodies = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await harness.base.connected { connection in
            connection.send(StreamHarness.request)
            guard try connection.text(through: "\r\n\r\n") != nil else { return nil }
            read.add()
            return String(decoding: try connection.octetsToEnd(), as: UTF8.self)
          }
        }
      }
      await read.reaches(count)
      for stream in harness.made { #expect(stream.write("bye")) }
      let began = clock.now
      await harness.stop()
      #expect(clock.now - began < .seconds(9))
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies == Array(repeating: "3\r\nbye\r\n" + StreamHarness.lastChunk, count: count))
    #expect(harness.made.map(\.ends.count) == Array(repeating: 1, count: count))
    #expect(try harness.descriptors() == 0)
  }

  @Test("a reader that does not read holds nobody up", arguments: [false, true])
  func noReader(byTLS: Bool) async throws {
    let harness = try StreamHarness(byTLS: byTLS, capacity: 33_554_432)
    let clock = ContinuousClock()
    let rest = try await harness.streaming { connection, stream in
      #expect(stream.stream.write([UInt8](repeating: 0x61, count: 33_554_432)))
      let began = clock.now
      waitBlocking { await harness.stop() }
      #expect(clock.now - began < .seconds(9))
      return try connection.octetsToEnd()
    }
    #expect(rest.suffix(5) != Array(StreamHarness.lastChunk.utf8)[...])
    #expect(rest.count < 33_554_432)
    #expect(harness.made.map(\.ends.count) == [1])
    #expect(try harness.descriptors() == 0)
  }

  @Test("a stream that comes while the listener stops is finished at once")
  func lateStream() async throws {
    let opened = Tally()
    let harness = try StreamHarness { stream in
      await opened.reaches(1)
      #expect(stream.write("late"))
    }
    let answers = try await harness.base.connected { connection in
      connection.send(StreamHarness.request)
      _ = waitBlocking { await harness.stream() }
      let stop = Task { await harness.stop() }
      // The listener takes no connections any more once it has begun to stop.
      while !waitBlocking({ await harness.isRefused() }) {}
      opened.add()
      let answers = try connection.answersToEnd()
      waitBlocking { await stop.value }
      return answers
    }
    #expect(answers.map(\.text) == ["late"])
    #expect(answers.first?.header("Connection") == "close")
    #expect(harness.made.map(\.ends.count) == [1])
  }

  @Test(
    "streams that are written to, finished and left while the listener stops harm nobody",
    arguments: [false, true])
  func turmoil(byTLS: Bool) async throws {
    for _ in 0..<5 {
      let harness = try StreamHarness(byTLS: byTLS)
      let count = 24
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            try await harness.base.connected { connection in
              connection.send(StreamHarness.request)
              _ = try connection.text(through: number % 3 == 0 ? "\r\n\r\n" : "text")
              if number % 3 == 0 {
                connection.close(isReset: number % 2 == 0)
              } else {
                _ = try connection.octetsToEnd()
              }
            }
          }
          group.addTask {
            let stream = await harness.stream(number + 1)
            while stream.write("text") { await Task.yield() }
          }
        }
        _ = await harness.stream(count)
        await harness.stop()
        try await group.waitForAll()
      }
      #expect(harness.made.map(\.ends.count) == Array(repeating: 1, count: count))
      #expect(try harness.descriptors() == 0)
    }
  }
}
