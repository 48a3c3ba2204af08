import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("A companion that follows the stream")
struct CompanionFollowTests {
  private static func hello(_ state: FakeService.State, key: String = "key-1") -> String {
    let data: JSONValue = [
      "stack": "stack-of-the-tests", "kinds": .array(state.kinds.map { .string($0) }),
      "catalogueVersion": .string(state.version), "vapidPublicKey": .string(key), "newest": "epoch-0",
    ]
    return "retry: 10\nevent: hello\ndata: \(data.text)\n\n"
  }

  private static func event(_ number: Int) -> String {
    "id: epoch-\(number)\nevent: alert\ndata: \(FakeService.alert(number).text)\n\n"
  }

  @Test("alerts are shown as they come, each with its cursor")
  func live() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let feed = RawFeed()
    service.change { $0.streams = [.events(Self.hello($0), feed)] }
    try await RunningCompanion.with([service], follows: true) { companion in
      _ = try await companion.note("following")
      let request = try #require(service.requests("GET", "/events").first)
      #expect(request.header("Last-Event-ID") == "epoch-0" && request.header("Accept") == "text/event-stream")
      #expect(request.header("Authorization") == "Bearer \(FakeService.token)")
      feed.send(": beat\n\nevent: later\ndata: x\n\n" + Self.event(1))
      #expect(try await companion.note("alert")["id"] == "epoch-1")
      feed.send(Self.event(2))
      #expect(try await companion.note("alert")["id"] == "epoch-2")
      await companion.end()
      await feed.over()
      #expect(companion.book.state.stacks.first?.cursor == "epoch-2")
    }
  }

  @Test("a stream that breaks off is taken up after the last alert, after the pause that was asked for")
  func reconnect() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let (first, second) = (RawFeed(), RawFeed())
    service.change {
      $0.streams = [.events(Self.hello($0), first), .status(503), .events(Self.hello($0), second)]
    }
    try await RunningCompanion.with([service], follows: true) { companion in
      // The third is cut off before its end: it is not there yet.
      first.send(Self.event(1) + Self.event(2) + "id: epoch-3\nevent: alert\ndata: {}\n")
      first.end()
      second.send(Self.event(3))
      for number in 1...3 {
        let alert = try await companion.note("alert")
        #expect(alert["id"]?.string == "epoch-\(number)")
      }
      let cursors = service.requests("GET", "/events").map { $0.header("Last-Event-ID") }
      #expect(cursors == ["epoch-0", "epoch-2", "epoch-2"])
      #expect(companion.shown == ["epoch-1", "epoch-2", "epoch-3"])
    }
  }

  @Test("what both a wake and the stream bring is shown once")
  func once() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let feed = RawFeed()
    service.change { $0.streams = [.events(Self.hello($0), feed)] }
    try await RunningCompanion.with([service], follows: true) { companion in
      _ = try await companion.note("following")
      service.change { $0.alerts = [FakeService.alert(1), FakeService.alert(2)] }
      #expect(try await service.push(service.wakeBody()) == 201)
      #expect(try await companion.note("read")["alerts"] == 2)
      feed.send(Self.event(1) + Self.event(2) + Self.event(3))
      #expect(try await companion.note("alert")["id"] == "epoch-3")
      #expect(companion.shown == ["epoch-1", "epoch-2", "epoch-3"])
      await companion.end()
      #expect(companion.book.state.stacks.first?.cursor == "epoch-3")
    }
  }

  @Test("a gap in the stream is said")
  func gap() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let feed = RawFeed()
    let gap = "event: gap\ndata: {\"reason\":\"unknown\",\"oldest\":\"epoch-1\",\"newest\":\"epoch-2\"}\n\n"
    service.change { $0.streams = [.events(Self.hello($0) + gap + Self.event(1), feed)] }
    try await RunningCompanion.with([service], follows: true) { companion in
      let gap = try await companion.note("gap")
      #expect(gap["reason"] == "unknown")
      let alert = try await companion.note("alert")
      #expect(alert["id"] == "epoch-1")
    }
  }

  @Test("410 and 401 end it", arguments: [401, 410])
  func ended(status: Int) async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    service.change { $0.streams = [.status(status)] }
    try await RunningCompanion.with([service], follows: true) { companion in
      _ = try await companion.note("ended")
      guard case .failure(.nonePaired)? = await companion.ended() else {
        Issue.record("the run did not end")
        return
      }
      #expect(companion.book.state.stacks.first?.isPaired == false)
    }
  }

  @Test("a hello with another VAPID key has a new subscription made, at which wakes arrive")
  func renewal() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    let feed = RawFeed()
    service.change { $0.streams = [.events("", feed)] }
    try await RunningCompanion.with([service], follows: true, isSettled: true) { companion in
      let old = service.state
      service.change { $0.vapidPublicKey = "key-2" }
      feed.send(Self.hello(old, key: "key-2"))
      _ = try await companion.note("renewed")
      let new = service.state
      #expect(new.endpoint != old.endpoint && new.keys != old.keys)
      #expect(new.changes.last?["vapidPublicKey"] == "key-2" && new.changes.last?.object?.count == 3)
      #expect(try await service.push(service.wakeBody()) == 201)
      _ = try await companion.note("read")
      service.change { $0.endpoint = old.endpoint }
      #expect(try await service.push([1]) == 404)
    }
  }
}
