import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

@Suite("What lies between an endless answer and its reader")
struct StreamPipeTests {
  /// Counts what a writer on a thread of its own could put.
  private final class Writer: Sendable {
    let pipe = StreamPipe()
    let placed = Atomic<Int>(0)
    static let piece = [UInt8](repeating: 7, count: StreamPipe.octetsMaximum / 4)

    /// Puts so many pieces; how many were taken.
    func put(_ count: Int) async throws -> Int {
      try await onOwnThread { [self] in
        for _ in 0..<count {
          guard pipe.put(Self.piece) else { break }
          placed.add(1, ordering: .relaxed)
        }
        return placed.load(ordering: .relaxed)
      }
    }

    func waitUntil(placed count: Int) async throws {
      while placed.load(ordering: .relaxed) < count { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test("beyond its bound the writer waits, and goes on when something was read")
  func bound() async throws {
    let writer = Writer()
    async let taken = writer.put(6)
    try await writer.waitUntil(placed: 4)
    // Long enough for a fifth that must not come.
    try await Task.sleep(for: .milliseconds(50))
    #expect(writer.placed.load(ordering: .relaxed) == 4)
    for read in 1...6 {
      #expect(try await writer.pipe.next().get() == Writer.piece)
      try await writer.waitUntil(placed: min(4 + read, 6))
    }
    #expect(try await taken == 6)
    writer.pipe.finish(.success(()))
    #expect(try await writer.pipe.next().get() == nil)
  }

  @Test("who cancels lets a waiting writer go, and nothing is taken any more")
  func cancelled() async throws {
    let writer = Writer()
    async let taken = writer.put(6)
    try await writer.waitUntil(placed: 4)
    writer.pipe.cancel()
    #expect(try await taken == 4)
    #expect(!writer.pipe.put([1]))
    #expect(try await writer.pipe.next().get() == nil)
  }

  @Test(
    "a piece beyond the bound passes through an empty pipe, and what came before a failure is read before it")
  func order() async throws {
    let pipe = StreamPipe()
    let large = [UInt8](repeating: 1, count: StreamPipe.octetsMaximum + 1)
    #expect(pipe.put(large))
    pipe.finish(.failure(.timedOut))
    #expect(try await pipe.next().get() == large)
    for _ in 0..<2 {
      let result = await pipe.next()
      #expect(throws: HTTPClientError.timedOut) { _ = try result.get() }
    }
  }
}
