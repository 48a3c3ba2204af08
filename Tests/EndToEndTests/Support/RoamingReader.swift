import HTTPClient
import StandIns
import StrictJSON
import Synchronization

/// Where a server that is started again and again listens at the moment.
final class MovingAddress: Sendable {
  private let address = Mutex("")

  var current: String {
    get { address.withLock { $0 } }
    set { address.withLock { $0 = newValue } }
  }
}

/// A reader of the event stream whose connection breaks all the time, and that goes on by id.
struct RoamingReader: Sendable {
  let address: MovingAddress
  let stack: String
  let token: String
  /// Octets after which a connection breaks that does not break soon.
  var longest = Int.max
  /// For the pauses between attempts while the server is away.
  private static let pause = Duration.milliseconds(20)

  /// What came, in its order.
  struct Heard: Sendable {
    var ids: [String] = []
    /// Events that have no business on this stream, or do not agree with themselves.
    var faults: [String] = []
    var connections = 0
  }

  /// Listens from `cursor` on until `count` alerts came, or until `end`.
  func listen(from cursor: String, until count: Int, end: ContinuousClock.Instant) async -> Heard {
    var heard = Heard()
    var last = cursor
    while heard.ids.count < count, ContinuousClock.now < end {
      let stream: StreamedExchange
      do {
        stream = try await HTTPClient().stream(
          "GET", "http://\(address.current)/v1/stacks/\(stack)/events",
          headers: [("Authorization", "Bearer \(token)"), ("Last-Event-ID", last)], idleSeconds: 20)
      } catch {
        try? await Task.sleep(for: Self.pause)
        continue
      }
      heard.connections += 1
      // Three of four connections break soon, at any octet.
      var budget = Int.random(in: 0..<4) == 0 ? longest : Int.random(in: 1...8_000)
      var reader = EventStreamReader(lastEventID: last)
      while budget > 0, heard.ids.count < count, ContinuousClock.now < end,
        let piece = try? await stream.next()
      {
        let octets = piece.prefix(budget)
        budget -= octets.count
        for item in (try? reader.read(octets)) ?? [] { Self.note(item, in: &heard) }
        last = reader.lastEventID
      }
      stream.cancel()
    }
    return heard
  }

  private static func note(_ item: EventStreamReader.Item, in heard: inout Heard) {
    guard case .event(let event) = item else { return }
    switch event.event {
    case "hello": break
    case "alert":
      let data = try? StrictJSON.parse(Array(event.data.utf8))
      heard.ids.append(event.id)
      if data?["id"]?.string != event.id { heard.faults.append("the data of \(event.id) names another") }
    default: heard.faults.append("\(event.event): \(event.data)")
    }
  }
}
