import Foundation
import Glibc
import TestSupport
import Testing

@testable import HTTPListener

@Suite("What a stream's reader that does not read may hold")
struct StreamBufferTests {
  private static let capacity = 262_144
  /// What the system takes in for a client of the tests that does not read: its default is 128 KiB, and it grows for
  /// those who read alone. Twice that, for its records.
  private static let receivedOctets = 262_144

  @Test(
    "the system keeps a bounded number of octets, and beyond the capacity the reader is cut off",
    arguments: [false, true], [false, true])
  func bounded(byTLS: Bool, unixSocket: Bool) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("wake-\(UUID().uuidString)").path
    let harness = try StreamHarness(
      address: unixSocket ? .unix(path: path) : .tcp(host: "127.0.0.1", port: 0), byTLS: byTLS,
      capacity: Self.capacity)
    let written = try await harness.streaming { connection, stream in
      let piece = [UInt8](repeating: 0x61, count: 4_096)
      var (written, still) = (0, 0)
      // Half of the capacity waits all the time, until the system has taken nothing for half a second.
      while still < 50 {
        if stream.stream.waitingOctets < Self.capacity / 2 {
          #expect(stream.stream.write(piece))
          (written, still) = (written + piece.count, 0)
        } else {
          usleep(10_000)
          still += 1
        }
      }
      #expect(stream.stream.isOpen)
      while stream.stream.write(piece) { written += piece.count }
      #expect(stream.ends.count == 1)
      connection.close()
      return written
    }
    #expect(written > Self.capacity)
    #expect(written <= Self.capacity + 2 * HTTPLimits.streamSendOctets + Self.receivedOctets)
    await harness.stop()
    #expect(harness.made.map(\.ends.count) == [1])
  }
}
