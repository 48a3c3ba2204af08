import CryptoPrimitives
import EndpointRegistry
import HTTPListener
import Testing

@testable import WakeServer

@Suite("What the streams of a device may hold")
struct StreamLimitTests {
  private static func reader() throws -> EventReader {
    EventReader(
      number: 1, stack: try #require(StackID("some-stack")),
      device: try #require(DeviceID(String(repeating: "a", count: 26))),
      token: .minted(.device, random: .system), stream: HTTPStream(capacity: EventReader.waitingOctets))
  }

  @Test("four streams, 256 KiB that wait for each, and a minute in which none of 64 KiB is read")
  func numbers() {
    #expect(AlertFeeds.streamsPerDevice == 4)
    #expect(EventReader.waitingOctets == 256 * 1_024)
    #expect(EventReader.backlogOctets == 64 * 1_024)
    #expect(AlertFeeds.look * EventReader.stalledLooks == .seconds(60))
  }

  @Test("who lets so much wait for so many looks has stopped reading, and not a look before, nor with less")
  func stalled() throws {
    let reader = try Self.reader()
    #expect(reader.stream.write([UInt8](repeating: 0, count: EventReader.backlogOctets - 1)))
    for _ in 0..<EventReader.stalledLooks * 2 { #expect(!reader.isStalled()) }
    #expect(reader.stream.write([0]))
    for _ in 1..<EventReader.stalledLooks { #expect(!reader.isStalled()) }
    #expect(reader.isStalled())
  }

  @Test("an octet beyond what may wait cuts the stream, and frees what waited")
  func full() throws {
    let reader = try Self.reader()
    #expect(reader.stream.write([UInt8](repeating: 0, count: EventReader.waitingOctets)))
    #expect(!reader.stream.write([0]))
    #expect(!reader.stream.isOpen && reader.stream.waitingOctets == 0)
  }
}
