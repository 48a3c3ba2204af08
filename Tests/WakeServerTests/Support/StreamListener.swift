import HTTPClient
import StandIns
import StrictJSON
import Testing

/// A companion's open event stream, item by item.
final class StreamListener {
  let stream: StreamedExchange
  private var reader: EventStreamReader
  private var waiting: [EventStreamReader.Item] = []

  struct Ended: Error {}

  /// Opens a stream of the service's stack.
  init(
    _ service: TestService, token: String, lastEventID: String? = nil, query: String = "",
    path: String? = nil, requestID: String? = nil
  ) async throws {
    var headers = [("Authorization", "Bearer \(token)")]
    if let lastEventID { headers.append(("Last-Event-ID", lastEventID)) }
    if let requestID { headers.append(("X-Request-Id", requestID)) }
    stream = try await HTTPClient().stream(
      "GET", service.baseURL + (path ?? service.path) + "/events" + query, headers: headers, idleSeconds: 30)
    reader = EventStreamReader(lastEventID: lastEventID ?? "")
  }

  /// What a reconnect would send.
  var lastEventID: String { reader.lastEventID }

  /// The next event, comments passed over; throws where the stream ends before.
  func next() async throws -> EventStreamReader.Event {
    while true {
      if case .event(let event) = try await nextItem() { return event }
    }
  }

  /// The next event or comment.
  func nextItem() async throws -> EventStreamReader.Item {
    while waiting.isEmpty {
      guard let piece = try await stream.next() else { throw Ended() }
      waiting = try reader.read(piece)
    }
    return waiting.removeFirst()
  }

  /// The next events, which must be alerts; their ids.
  func alerts(_ count: Int) async throws -> [String] {
    var ids: [String] = []
    while ids.count < count {
      let event = try await next()
      #expect(event.event == "alert")
      ids.append(event.id)
    }
    return ids
  }
}

extension EventStreamReader.Event {
  var json: JSONValue { (try? StrictJSON.parse(Array(data.utf8))) ?? .null }
}
