import Foundation
import Glibc
import Synchronization

/// Clients that send an octet now and then, to keep their connections for as long as they can: half of them never end
/// their head, half never end the content that they announced. One that is closed comes back at once.
final class SlowConnections: Sendable {
  /// How long each connection was let wait, in seconds, until the service closed it.
  struct Ends: Sendable {
    var heads: [Double] = []
    var bodies: [Double] = []
  }

  private struct Connection {
    let endsHead: Bool
    var descriptor: Int32
    var since: ContinuousClock.Instant
  }

  /// Between two octets on each.
  private static let pace = Duration.milliseconds(250)

  private let address: String
  private let ends = Mutex(Ends())
  private let isStopping = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  init(address: String, count: Int) throws {
    self.address = address
    let connections = try (0..<count).map { try Self.open(address, endsHead: $0 % 2 == 1) }
    Thread.detachNewThread { self.run(connections) }
  }

  /// The connections that have been closed so far.
  var closed: Ends { ends.withLock(\.self) }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    hasStopped.wait()
  }

  private static func open(_ address: String, endsHead: Bool) throws -> Connection {
    let descriptor = try StreamReaders.connected(to: address)
    let text =
      endsHead
      ? "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
      : "GET /healthz HTTP/1.1\r\nHost: "
    _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    return Connection(endsHead: endsHead, descriptor: descriptor, since: .now)
  }

  private func run(_ opened: [Connection]) {
    var connections = opened
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var octet = UInt8(ascii: "a")
    while !isStopping.load(ordering: .relaxed) {
      let next = ContinuousClock.now + Self.pace
      for index in connections.indices {
        let connection = connections[index]
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        _ = send(connection.descriptor, &octet, 1, flags)
        let count = recv(connection.descriptor, &buffer, buffer.count, flags)
        // An answer, or the end, or a reset; what is not there yet is none of them.
        guard count >= 0 || errno != EAGAIN else { continue }
        let seconds = (ContinuousClock.now - connection.since) / .seconds(1)
        ends.withLock { ends in
          if connection.endsHead { ends.bodies.append(seconds) } else { ends.heads.append(seconds) }
        }
        close(connection.descriptor)
        if let again = try? Self.open(address, endsHead: connection.endsHead) { connections[index] = again }
      }
      Thread.sleep(forTimeInterval: max(0, (next - .now) / .seconds(1)))
    }
    for connection in connections { close(connection.descriptor) }
    hasStopped.signal()
  }
}
