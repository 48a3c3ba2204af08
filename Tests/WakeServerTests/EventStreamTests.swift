import EndpointRegistry
import Foundation
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("The event stream")
struct EventStreamTests {
  /// A service without wakes, one phone, and that many alerts.
  private static func with(
    alerts count: Int, streamLook: Duration = AlertFeeds.look,
    body: (TestService, Phone, [String]) async throws -> Void
  ) async throws {
    try await TestService.with(.socket, streamLook: streamLook, delivers: false) { service in
      let phone = try await service.phone()
      try await body(service, phone, try await raise(count, in: service))
    }
  }

  private static func raise(_ count: Int, in service: TestService) async throws -> [String] {
    var ids: [String] = []
    for _ in 0..<count {
      let reply = try await service.hook(["kind": "problem"])
      ids.append(try #require(reply.json["id"]?.string))
    }
    return ids
  }

  @Test("it begins at once, as an event stream that nobody stores, buffers or compresses (B25)")
  func head() async throws {
    try await Self.with(alerts: 0) { service, phone, _ in
      let listener = try await StreamListener(service, token: phone.token)
      #expect(listener.stream.status == 200)
      #expect(listener.stream.header("Content-Type") == "text/event-stream")
      #expect(listener.stream.header("Cache-Control") == "no-store")
      #expect(listener.stream.header("X-Accel-Buffering") == "no")
      #expect(listener.stream.header("Content-Encoding") == nil)
      #expect(listener.stream.header("Transfer-Encoding") == "chunked")
      // A comment before anything has happened: a proxy has something to hand on.
      #expect(try await listener.nextItem() == .comment(""))
    }
  }

  @Test("without a cursor hello says where it stands, and what comes then is heard after a reconnect (B25)")
  func hello() async throws {
    try await Self.with(alerts: 3) { service, phone, ids in
      let listener = try await StreamListener(service, token: phone.token, lastEventID: "")
      let hello = try await listener.next()
      #expect(hello.event == "hello" && hello.id == ids[2])
      guard case .object(let data) = hello.json else { Issue.record("no object"); return }
      #expect(
        data.names == ["stack", "kinds", "catalogueVersion", "vapidPublicKey", "retention", "newest"])
      #expect(data["stack"]?.string == service.stack.id.text)
      #expect(data["kinds"] == Presentation.names(Kind.allCases))
      #expect(data["catalogueVersion"]?.string == CatalogueVersion(Kind.allCases).text)
      #expect(data["vapidPublicKey"]?.string == service.stack.vapidPublicKey)
      #expect(data["retention"] == ["alerts": 200, "seconds": 604_800])
      #expect(data["newest"]?.string == ids[2])
      listener.stream.cancel()

      let missed = try await Self.raise(3, in: service)
      let again = try await StreamListener(service, token: phone.token, lastEventID: listener.lastEventID)
      let second = try await again.next()
      #expect(second.event == "hello" && second.id == listener.lastEventID)
      #expect(try await again.alerts(3) == missed)
    }
  }

  @Test("a first reader of a stack without alerts is given a cursor too")
  func emptyStack() async throws {
    try await Self.with(alerts: 0) { service, phone, _ in
      let listener = try await StreamListener(service, token: phone.token)
      let hello = try await listener.next()
      #expect(hello.id.hasSuffix("-0") && hello.json["newest"]?.string == hello.id)
      listener.stream.cancel()
      let ids = try await Self.raise(2, in: service)
      let again = try await StreamListener(service, token: phone.token, lastEventID: hello.id)
      _ = try await again.next()
      #expect(try await again.alerts(2) == ids)
    }
  }

  @Test(
    "with a cursor comes every alert after it, then what is raised, each with its id and one line of data")
  func replay() async throws {
    try await Self.with(alerts: 5) { service, phone, ids in
      let listener = try await StreamListener(service, token: phone.token, lastEventID: ids[1])
      #expect(try await listener.next().event == "hello")
      #expect(try await listener.alerts(3) == Array(ids[2...]))
      let text = "two\nlines\r\nand \u{2028}\u{2029}\u{85} : \"quoted\" id: 7\n\nevent: hello\0"
      let raised = try await service.hook([
        "kind": "backup", "event": "disk.full", "ref": "sda", "moment": "onset",
        "alert": ["text": .string(String(text.dropLast())), "n": 1],
      ])
      let event = try await listener.next()
      let id = try #require(raised.json["id"]?.string)
      #expect(event.event == "alert" && event.id == id)
      guard case .object(let data) = event.json else { Issue.record("no object"); return }
      #expect(data.names == ["id", "at", "kind", "event", "ref", "moment", "alert"])
      #expect(data["id"]?.string == id && data["kind"] == "backup" && data["event"] == "disk.full")
      #expect(data["ref"] == "sda" && data["moment"] == "onset")
      #expect(data["alert"]?["text"]?.string == String(text.dropLast()))
      // The same as a read gives.
      let read = try await service.send("GET", "\(service.path)/alerts?after=\(ids[4])", token: phone.token)
      #expect(read.json["alerts"] == .array([.object(data)]))
    }
  }

  enum Cursor: CaseIterable {
    case field, query, both
  }

  @Test("the field wins over the query, and an empty one is none", arguments: Cursor.allCases)
  func cursors(cursor: Cursor) async throws {
    try await Self.with(alerts: 3) { service, phone, ids in
      let listener =
        switch cursor {
        case .field: try await StreamListener(service, token: phone.token, lastEventID: ids[0])
        case .query:
          try await StreamListener(service, token: phone.token, lastEventID: "", query: "?after=\(ids[0])")
        case .both:
          try await StreamListener(
            service, token: phone.token, lastEventID: ids[0], query: "?after=\(ids[2])")
        }
      #expect(try await listener.next().event == "hello")
      #expect(try await listener.alerts(2) == Array(ids[1...]))
    }
  }

  /// A cursor that cannot be honoured, made from the stack's epoch, and the reason that is given.
  static let gaps: [(String, @Sendable (String) -> String, String)] = [
    ("of no form", { _ in "what" }, "malformed"), ("without a number", { "\($0)-" }, "malformed"),
    ("with a sign", { "\($0)-+1" }, "malformed"), ("with a zero in front", { "\($0)-01" }, "malformed"),
    ("beyond any number", { "\($0)-99999999999999999999" }, "malformed"),
    ("with octets that are no text", { _ in "\u{FF}\u{FE}" }, "malformed"),
    ("of another epoch", { _ in "aaaaaaaa-1" }, "unknown"), ("ahead of the newest", { "\($0)-4" }, "ahead"),
    ("far ahead", { "\($0)-9223372036854775807" }, "ahead"),
  ]

  @Test("a cursor that cannot be honoured is one gap with its reason, then all that is kept, then what comes")
  func gap() async throws {
    try await Self.with(alerts: 3) { service, phone, ids in
      let epoch = String(ids[0].prefix { $0 != "-" })
      for (name, make, reason) in Self.gaps {
        let listener = try await StreamListener(service, token: phone.token, lastEventID: make(epoch))
        #expect(try await listener.next().event == "hello")
        let gap = try await listener.next()
        #expect(gap.event == "gap", "\(name)")
        #expect(
          gap.json == ["reason": .string(reason), "oldest": .string(ids[0]), "newest": .string(ids[2])],
          "\(name)")
        #expect(try await listener.alerts(3) == ids, "\(name)")
        listener.stream.cancel()
      }
      let listener = try await StreamListener(service, token: phone.token, lastEventID: "\(epoch)-9")
      _ = try await (listener.next(), listener.next(), listener.alerts(3))
      let raised = try await Self.raise(1, in: service)
      #expect(try await listener.alerts(1) == raised)
    }
  }

  @Test("gap, comments and a hello after a cursor carry no id")
  func idsAreAlertsAlone() async throws {
    try await Self.with(alerts: 1) { service, phone, _ in
      let port = try service.port
      let request =
        "GET \(service.path)/events?after=what HTTP/1.0\r\nAuthorization: Bearer \(phone.token)\r\n\r\n"
      let text = try await onOwnThread {
        let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
        connection.send(request)
        return try connection.text(through: "event: alert\ndata: {")
      }
      let beforeTheAlert = try #require(text?.range(of: "id: ")?.lowerBound)
      let opening = try #require(text?[..<beforeTheAlert])
      #expect(
        opening.contains("event: hello\n") && opening.contains("event: gap\n") && opening.contains("\n:\n"))
      let epoch = service.stack.newest.epoch
      #expect(text?[beforeTheAlert...] == "id: \(epoch)-1\nevent: alert\ndata: {")
    }
  }

  @Test("no event of another stack, and nothing that a mute would keep away")
  func otherStacks() async throws {
    try await Self.with(alerts: 0) { service, phone, _ in
      #expect(try await service.patch(phone, ["muted": ["problem"]]).status == 200)
      let other = try await service.anotherStack()
      let listener = try await StreamListener(service, token: phone.token)
      _ = try await listener.next()
      for _ in 0..<3 {
        let reply = try await service.send(
          "POST", "/v1/stacks/\(other.stack.id)/alerts", token: other.hookToken.text, json: ["kind": "backup"]
        )
        #expect(reply.status == 202)
      }
      let own = try await Self.raise(1, in: service)
      #expect(try await listener.alerts(1) == own)
      let foreign = try await StreamListener(
        service, token: phone.token, path: "/v1/stacks/\(other.stack.id)")
      #expect(foreign.stream.status == 404)
    }
  }

  @Test("a fifth stream of one device ends its first")
  func tooMany() async throws {
    try await Self.with(alerts: 0) { service, phone, _ in
      var listeners: [StreamListener] = []
      for _ in 0..<5 {
        listeners.append(try await StreamListener(service, token: phone.token))
        _ = try await listeners.last?.next()
      }
      await #expect(throws: StreamListener.Ended.self) { _ = try await listeners[0].next() }
      let ids = try await Self.raise(1, in: service)
      for listener in listeners[1...] { #expect(try await listener.alerts(1) == ids) }
    }
  }

  @Test("a receipt beside the request for a stream counts")
  func receipt() async throws {
    try await TestService.with(.socket) { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let receipt = try service.receipts(at: phone)[0]
      let stream = try await HTTPClient().stream(
        "GET", "\(service.baseURL)\(service.path)/events",
        headers: [("Authorization", "Bearer \(phone.token)"), ("Wake-Receipt", receipt)], idleSeconds: 30)
      #expect(stream.status == 200)
      #expect(try await service.device(phone)["state"] == "confirmed")
    }
  }

  @Test("who lets go of a stream leaves nothing behind")
  func letGo() async throws {
    try await Self.with(alerts: 1) { service, phone, _ in
      for _ in 0..<20 {
        let listener = try await StreamListener(service, token: phone.token)
        _ = try await listener.next()
        listener.stream.cancel()
      }
      try await service.eventually { service.feeds.count == 0 }
    }
  }

  @Test("what it promises in times: a comment at least every 15 s, the end of a revoked device within one")
  func times() {
    #expect(AlertFeeds.heartbeat <= .seconds(15) && AlertFeeds.look < .seconds(1))
  }

  @Test("a cursor behind what is kept is a gap, on the stream and in a read, and then comes all that is kept")
  func expired() async throws {
    try await Self.with(alerts: 205) { service, phone, ids in
      try await Self.forget(5, in: service)
      let gap: JSONValue = [
        "reason": "expired", "oldest": .string(ids[5]), "newest": .string(ids[204]),
      ]
      let listener = try await StreamListener(service, token: phone.token, lastEventID: ids[0])
      _ = try await listener.next()
      let event = try await listener.next()
      #expect(event.event == "gap" && event.json == gap)
      #expect(try await listener.alerts(200) == Array(ids[5...]))
      // The one before the oldest is as good as any.
      let honoured = try await StreamListener(service, token: phone.token, lastEventID: ids[4])
      _ = try await honoured.next()
      #expect(try await honoured.alerts(200) == Array(ids[5...]))

      let read = try await service.send(
        "GET", "\(service.path)/alerts?after=\(ids[0])&limit=3", token: phone.token)
      #expect(read.json["gap"] == gap && read.json["next"]?.string == ids[7])
      #expect(read.json["alerts"]?.ids == Array(ids[5...7]))
    }
  }

  @Test("a read comes in pages, oldest first, until next is null")
  func pages() async throws {
    try await Self.with(alerts: 7) { service, phone, ids in
      var heard: [String] = []
      var after: String? = nil
      var pages = 0
      repeat {
        let query = "?limit=3" + (after.map { "&after=\($0)" } ?? "")
        let page = try await service.send("GET", "\(service.path)/alerts\(query)", token: phone.token)
        #expect(page.json["gap"] == .null)
        heard += page.json["alerts"]?.ids ?? []
        after = page.json["next"]?.string
        pages += 1
      } while after != nil && pages < 10
      #expect(heard == ids && pages == 3)
      for limit in ["0", "201", "-1", "x"] {
        let reply = try await service.send("GET", "\(service.path)/alerts?limit=\(limit)", token: phone.token)
        #expect(reply.status == 400 && reply.code == "malformed-request", "\(limit)")
      }
    }
  }

  /// Lets a week pass in which nothing was raised: of more than 200, the oldest are forgotten.
  private static func forget(_ count: Int, in service: TestService) async throws {
    let at = WallClock.system.now() + 8 * 24 * 3_600_000
    var position: SweepPosition? = SweepPosition()
    var forgotten = 0
    while let from = position {
      let step = try await service.store.sweep(Retention(), from: from, at: at)
      forgotten += step.removed[.alerts] ?? 0
      position = step.next
    }
    #expect(forgotten == count)
  }

  @Test("a burst larger than a stream's room reaches a reader that pauses, whole and on the same stream")
  func burst() async throws {
    try await Self.with(alerts: 0) { service, phone, _ in
      let listener = try await StreamListener(service, token: phone.token)
      _ = try await listener.next()
      let content = String(repeating: "x", count: 16_000)
      var ids: [String] = []
      for _ in 0..<100 {
        let reply = try await service.hook(["kind": "problem", "alert": ["x": .string(content)]])
        ids.append(try #require(reply.json["id"]?.string))
      }
      #expect(try await listener.alerts(100) == ids)
      let last = try await Self.raise(1, in: service)
      #expect(try await listener.alerts(1) == last)
    }
  }

  @Test("a reader that stops reading is cut off, and resumes by id without a loss")
  func stopsReading() async throws {
    try await Self.with(alerts: 0, streamLook: .milliseconds(10)) { service, phone, _ in
      let content = String(repeating: "x", count: 16_000)
      let silent = try RawHTTPConnection(host: "127.0.0.1", port: service.port)
      silent.send(
        "GET \(service.path)/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(phone.token)\r\n\r\n")
      try await service.eventually { service.feeds.count == 1 }
      // What the kernel's buffers on both sides hold is far less than this.
      var ids: [String] = []
      for _ in 0..<400 {
        let reply = try await service.hook(["kind": "problem", "alert": ["x": .string(content)]])
        ids.append(try #require(reply.json["id"]?.string))
      }
      try await service.eventually { service.feeds.count == 0 }
      silent.close()
      let resumed = try await StreamListener(service, token: phone.token, lastEventID: ids[0])
      _ = try await resumed.next()
      #expect(try await resumed.alerts(399) == Array(ids[1...]))
    }
  }
}

extension JSONValue {
  /// The ids of a list of alerts.
  fileprivate var ids: [String]? {
    guard case .array(let alerts) = self else { return nil }
    return alerts.compactMap { $0["id"]?.string }
  }
}
