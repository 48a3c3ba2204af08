import Foundation
import HTTPListener
import Synchronization
import TestSupport

/// A stream that counts how often it was said to have ended.
struct CountedStream: Sendable {
  let stream: HTTPStream
  let ends = Tally()

  init(capacity: Int = 262_144) { stream = HTTPStream(capacity: capacity) { [ends] in ends.add() } }

  func write(_ text: String) -> Bool { stream.write(Array(text.utf8)) }
}

/// A listener that answers every request with a stream, and the streams that it has made.
final class StreamHarness: Sendable {
  let base: ListenerHarness
  private let record: Record

  private final class Record: Sendable {
    let made = Mutex<[CountedStream]>([])
    let count = Tally()
  }

  static let request = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"
  /// The end of a chunked answer.
  static let lastChunk = "0\r\n\r\n"

  private static let listeners = Atomic(0)

  /// An address of loopback that no other listener and no client has: a port alone is given to the next that asks as
  /// soon as it is free, and tests beside this one ask.
  private static func ownAddress() -> ListenAddress {
    let number = listeners.add(1, ordering: .relaxed).newValue
    return .tcp(host: "127.77.\(number / 256).\(number % 256)", port: 0)
  }

  /// `prepare` is called with each stream before it is returned.
  init(
    address: ListenAddress = StreamHarness.ownAddress(), limits: HTTPLimits = HTTPLimits(),
    byTLS: Bool = false, capacity: Int = 262_144, status: Int = 200,
    prepare: @escaping @Sendable (CountedStream) async -> Void = { _ in }
  ) throws {
    let record = Record()
    self.record = record
    base = try ListenerHarness(
      address: address, limits: limits, identities: byTLS ? TestIdentity.make().slot : nil,
      exempt: ["127.0.0.1"]
    ) { _ in
      let stream = CountedStream(capacity: capacity)
      record.made.withLock { $0.append(stream) }
      record.count.add()
      await prepare(stream)
      return HTTPResponse(
        status: status, headers: [("Content-Type", "text/event-stream")], stream: stream.stream)
    }
  }

  /// All streams so far.
  var made: [CountedStream] { record.made.withLock { $0 } }

  /// The stream of the request of that number, from 1, as soon as it is there.
  func stream(_ number: Int = 1) async -> CountedStream {
    await record.count.reaches(number)
    return made[number - 1]
  }

  /// Waits until the listener has nothing open but so many descriptors of its own; false where that does not come.
  func isAlone(own: Int) async throws -> Bool {
    for _ in 0..<5_000 {
      if try descriptors() == own { return true }
      try await Task.sleep(for: .milliseconds(1))
    }
    return false
  }

  /// Whether the listener takes no connections.
  func isRefused() async -> Bool { await (try? base.connected(plainly: true) { _ in }) == nil }

  func stop() async { await base.listener.stop() }

  /// Runs `body` with a connection whose request is answered by a stream, after it has received the head.
  func streaming<Value: Sendable>(
    _ body: @escaping @Sendable (RawHTTPConnection, CountedStream) throws -> Value
  ) async throws -> Value {
    try await base.connected { [self] connection in
      connection.send(Self.request)
      let stream = waitBlocking { await self.stream() }
      _ = try connection.text(through: "\r\n\r\n")
      return try body(connection, stream)
    }
  }

  /// The descriptors of this process that are the listener's or of connections that it has accepted.
  func descriptors() throws -> Int {
    guard case .tcp(let host, _) = base.listener.address else { return 0 }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isSocket = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(Int32(name) ?? -1, $0, &size) == 0
        }
      }
      return isSocket && address.sin_family == sa_family_t(AF_INET)
        && address.sin_addr.s_addr == inet_addr(host)
    }
  }
}
