import EndpointRegistry
import HTTPListener
import StrictJSON
import Testing

@testable import WakeServer

@Suite("The feed of a stack's new alerts")
struct AlertFeedTests {
  /// A feed that has handed out that many large alerts, to nobody.
  private static func with(
    alerts count: Int, body: (TestService, AlertFeed, [AlertID]) async throws -> Void
  ) async throws {
    try await TestService.with(delivers: false) { service in
      let feed = AlertFeed(stack: service.stack.id, store: service.store, log: .silent)
      await feed.caughtUp()
      var ids: [AlertID] = []
      for _ in 0..<count {
        let reply = try await service.hook([
          "kind": "problem", "alert": ["x": .string(String(repeating: "x", count: 16_000))],
        ])
        ids.append(try #require(reply.json["id"]?.string.flatMap { AlertID($0) }))
      }
      await feed.caughtUp()
      try await body(service, feed, ids)
    }
  }

  private static func reader(_ number: Int, of service: TestService) throws -> EventReader {
    EventReader(
      number: number, stack: service.stack.id,
      device: try #require(DeviceID(String(repeating: "a", count: 26))), token: service.hookToken,
      stream: HTTPStream(capacity: EventReader.waitingOctets))
  }

  @Test("a stream joins where the kept tail begins or later, with every alert after it, and nowhere before")
  func seam() async throws {
    try await Self.with(alerts: 20) { service, feed, ids in
      let page = try await service.store.alerts(of: service.stack.id, after: nil, limit: 200)
      let sizes = page.alerts.map { EventText.alert($0).count }
      // As many of the newest as have room.
      var tail = 0
      while sizes.suffix(tail + 1).reduce(0, +) <= AlertFeed.tailOctets { tail += 1 }
      #expect(tail > 2 && tail < 20)
      for (index, id) in ids.enumerated() {
        let reader = try Self.reader(index, of: service)
        let after = ids.count - index - 1
        #expect(feed.join(reader, after: id) == (after <= tail), "\(after) alerts missed")
        let octets = after <= tail ? sizes.suffix(after).reduce(0, +) : 0
        #expect(reader.stream.waitingOctets == octets)
      }
    }
  }

  @Test("a stream in whose backlog the tail has no room does not join, and is not cut")
  func noRoom() async throws {
    try await Self.with(alerts: 8) { service, feed, ids in
      let reader = try Self.reader(1, of: service)
      let backlog = EventReader.waitingOctets - 20_000
      #expect(reader.stream.write([UInt8](repeating: 0, count: backlog)))
      #expect(!feed.join(reader, after: ids[5]))
      #expect(reader.stream.isOpen && reader.stream.waitingOctets == backlog)
      #expect(feed.join(reader, after: ids[6]))
      #expect(reader.stream.isOpen && reader.stream.waitingOctets > backlog)
    }
  }

  @Test("a stream whose place is not kept any more, in the middle, is cut without a word")
  func fallsBehind() async throws {
    try await TestService.with(delivers: false) { service in
      for _ in 0..<203 { _ = try await service.hook(["kind": "problem"]) }
      let at = WallClock.system.now() + 8 * 24 * 3_600_000
      var position: SweepPosition? = SweepPosition()
      while let from = position {
        position = try await service.store.sweep(Retention(), from: from, at: at).next
      }
      let feed = AlertFeed(stack: service.stack.id, store: service.store, log: .silent)
      await feed.caughtUp()
      let reader = try Self.reader(1, of: service)
      let place = try #require(AlertID("\(service.stack.newest.epoch)-1"))
      await EventReplay(store: service.store, feed: feed, reader: reader).run(after: place)
      #expect(!reader.stream.isOpen && reader.stream.waitingOctets == 0)
    }
  }
}
