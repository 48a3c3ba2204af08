import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("A companion that is woken")
struct CompanionWakeTests {
  @Test("it registers what the contract asks for, and keeps what it is given")
  func registration() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], runs: false) { companion in
      let request = try #require(service.requests("POST", "/devices").first)
      #expect(request.header("Authorization") == "Bearer wkp_code")
      let body = try StrictJSON.parse(request.body)
      #expect(body["client"]?.string?.utf8.count == 22 && body["label"] == "phone")
      #expect(body["vapidPublicKey"] == "key-1")
      #expect(body["keys"]?["p256dh"]?.string?.utf8.count == 87)
      let stack = try #require(companion.book.state.stacks.first)
      #expect(stack.stack == service.stack && stack.label == "home" && stack.kinds == ["problem", "backup"])
      #expect(stack.cursor == "epoch-0" && stack.receives == "loopback" && stack.isPaired)
      let endpoint = try #require(body["endpoint"]?.string)
      #expect(endpoint.hasPrefix("http://\(companion.book.state.listen ?? "?")/up"))
    }
  }

  @Test("a wake is answered by a read after the cursor, which hands back the receipt")
  func wake() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      service.change { $0.alerts = [FakeService.alert(1), FakeService.alert(2, kind: "backup")] }
      #expect(try await service.push(service.wakeBody()) == 201)
      let note = try await companion.note("read")
      #expect(note["alerts"] == 2)
      #expect(companion.shown == ["epoch-1", "epoch-2"])
      let alert = try #require(companion.said.first { $0["what"] == "alert" })
      #expect(alert["label"] == "home" && alert["kind"] == "problem" && alert["event"] == "disk.bad")
      #expect(alert["notification"]?.string == "\(service.stack):epoch-1")
      let read = try #require(service.requests("GET", "/alerts").last)
      #expect(read.header("Wake-Receipt") == "receipt-1" && read.target.hasSuffix("?after=epoch-0"))
      #expect(read.header("Authorization") == "Bearer \(FakeService.token)")

      #expect(try await service.push(service.wakeBody(receipt: "receipt-2")) == 201)
      #expect(try await companion.note("read")["alerts"] == 0)
      #expect(service.requests("GET", "/alerts").last?.target.hasSuffix("?after=epoch-2") == true)
      #expect(companion.book.state.stacks.first?.cursor == "epoch-2")
    }
  }

  @Test("many alerts are read page by page, and the receipt goes with the first")
  func pages() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      service.change {
        $0.alerts = (1...7).map { FakeService.alert($0) }
        $0.pageLength = 3
      }
      let before = service.requests("GET", "/alerts").count
      #expect(try await service.push(service.wakeBody()) == 201)
      let note = try await companion.note("read")
      #expect(note["alerts"] == 7)
      let reads = service.requests("GET", "/alerts").dropFirst(before)
      #expect(reads.map { $0.header("Wake-Receipt") } == ["receipt-1", nil, nil])
      #expect(
        reads.map { $0.target.split(separator: "=").last } == ["epoch-0", "epoch-3", "epoch-6"])
      #expect(companion.shown == (1...7).map { "epoch-\($0)" })
    }
  }

  @Test("what came while it did not run is read when it runs, once")
  func catchUp() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    service.change { $0.alerts = [FakeService.alert(1)] }
    try await RunningCompanion.with([service]) { companion in
      _ = try await companion.note("alert")
      await companion.end()
      service.change { $0.alerts.append(FakeService.alert(2)) }
      companion.start(follows: false)
      _ = try await companion.note("alert")
      #expect(companion.shown == ["epoch-1", "epoch-2"])
    }
  }

  @Test("a gap is said, and where nothing follows it is said once")
  func gap() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    service.change { $0.gap = ["reason": "expired", "oldest": .null, "newest": "epoch-9"] }
    try await RunningCompanion.with([service]) { companion in
      #expect(try await companion.note("gap")["reason"] == "expired")
      #expect(try await service.push(service.wakeBody()) == 201)
      _ = try await companion.note("read")
      #expect(service.requests("GET", "/alerts").last?.target.hasSuffix("?after=epoch-9") == true)
      #expect(companion.said.count { $0["what"] == "gap" } == 1)
    }
  }

  @Test("another version of the catalogue has the kinds read anew, the same one does not")
  func kinds() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      let before = service.requests("GET", "").count
      service.change { ($0.kinds, $0.version) = (["update"], "00000002") }
      #expect(try await service.push(service.wakeBody()) == 201)
      #expect(try await companion.note("kinds")["kinds"] == ["update"])
      _ = try await companion.note("read")
      #expect(service.requests("GET", "").count == before + 1)
      #expect(companion.book.state.stacks.first?.kinds == ["update"])
      #expect(try await service.push(service.wakeBody()) == 201)
      _ = try await companion.note("read")
      #expect(service.requests("GET", "").count == before + 1)
    }
  }

  @Test("what cannot be decrypted, or is no wake, is counted and asks nobody")
  func garbage() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      let before = service.server.requests.count
      var flipped = try service.wakeBody()
      flipped[255] ^= 1
      let messages = [
        [], [0], [UInt8](repeating: 7, count: 256), flipped, try service.sealed([]),
        try service.sealed([0xff]),
        try service.sealed(Array("{\"v\":1}".utf8)), try service.sealed(Array("[]".utf8)),
      ]
      for (index, body) in messages.enumerated() {
        #expect(try await service.push(body) == 201)
        #expect(try await companion.note("undecryptable")["count"]?.integer == Int64(index + 1))
      }
      #expect(service.server.requests.count == before)
    }
  }

  @Test("a wake of an unknown stack is said and asks nobody; of two stacks each has its own")
  func unknownStack() async throws {
    let (one, other) = (
      try FakeService(stack: "stack-number-one"), try FakeService(stack: "stack-number-two")
    )
    defer {
      one.server.stop()
      other.server.stop()
    }
    try await RunningCompanion.with([one, other], isSettled: true) { companion in
      #expect(one.state.endpoint != other.state.endpoint && one.state.keys != other.state.keys)
      #expect(companion.book.state.stacks.count == 2)
      one.change { $0.alerts = [FakeService.alert(1)] }
      let status = try await other.push(other.wakeBody())
      #expect(status == 201)
      #expect(try await companion.note("read")["stack"]?.string == other.stack)
      #expect(try await one.push(one.wakeBody()) == 201)
      #expect(try await companion.note("read")["stack"]?.string == one.stack)
      let before = one.server.requests.count + other.server.requests.count
      for (index, stack) in ["a-stack-of-nobody", other.stack].enumerated() {
        #expect(try await one.push(one.wakeBody(stack: stack)) == 201)
        #expect(try await companion.note("unknown-stack")["count"]?.integer == Int64(index + 1))
      }
      #expect(one.server.requests.count + other.server.requests.count == before)
    }
  }

  @Test("a path that is no endpoint of a stack is answered 404, which ends a subscription")
  func unknownPath() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      let listen = try #require(companion.book.state.listen)
      #expect(try await HTTPClient().send("POST", "http://\(listen)/upelse", body: [1]).status == 404)
    }
  }

  @Test(
    "the end of a registration is said, the token is forgotten, and with none left the run ends",
    arguments: [401, 410])
  func ended(status: Int) async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      service.change { $0.status = status }
      #expect(try await service.push(service.wakeBody()) == 201)
      #expect(try await companion.note("ended")["stack"]?.string == service.stack)
      guard case .failure(.nonePaired)? = await companion.ended() else {
        Issue.record("the run did not end")
        return
      }
      #expect(companion.book.state.stacks.first?.isPaired == false)
      let text = try String(contentsOfFile: RunningCompanion.path(companion.folder), encoding: .utf8)
      #expect(!text.contains(FakeService.token))
    }
  }

  @Test("a fault that passes is tried again until the read is done")
  func busy() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await RunningCompanion.with([service], isSettled: true) { companion in
      service.change {
        $0.status = 503
        $0.alerts = [FakeService.alert(1)]
      }
      #expect(try await service.push(service.wakeBody()) == 201)
      _ = try await companion.note("trouble")
      service.change { $0.status = nil }
      #expect(try await companion.note("read")["alerts"] == 1)
      #expect(service.requests("GET", "/alerts").last?.header("Wake-Receipt") == "receipt-1")
    }
  }

  @Test("the end of one registration leaves the others at work")
  func oneOfTwoEnds() async throws {
    let (one, other) = (
      try FakeService(stack: "stack-number-one"), try FakeService(stack: "stack-number-two")
    )
    defer {
      one.server.stop()
      other.server.stop()
    }
    try await RunningCompanion.with([one, other], isSettled: true) { companion in
      one.change { $0.status = 410 }
      let status = try await one.push(one.wakeBody())
      #expect(status == 201)
      #expect(try await companion.note("ended")["stack"]?.string == one.stack)
      other.change { $0.alerts = [FakeService.alert(1)] }
      for _ in 0..<2 { #expect(try await other.push(other.wakeBody()) == 201) }
      #expect(try await companion.note("read")["alerts"] == 1)
      #expect(try await one.push(one.wakeBody()) == 404)
      #expect(companion.book.state.stacks.map(\.isPaired) == [false, true])
    }
  }
}
