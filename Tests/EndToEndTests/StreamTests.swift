import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("The event stream of a real server", .serialized)
struct StreamTests {
  private static let readers = 50
  private static let alerts = 500
  private static let patience = Duration.seconds(90)

  @Test(
    "50 readers with broken connections, through restarts and kills, hear 500 alerts once each and in order",
    arguments: 1...2)
  func nothingLostOrDoubled(round: Int) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let address = MovingAddress()
    var server = try await Server(state)
    address.current = server.address
    let stack = try await Self.stack(on: server)
    let tokens = try await Self.devices(Self.readers, on: server, stack.id)
    let cursor = try await Self.start(of: stack.id, on: server, tokens[0])
    let end = ContinuousClock.now + Self.patience
    let (heard, raised) = try await withThrowingTaskGroup(of: RoamingReader.Heard.self) { group in
      for token in tokens {
        group.addTask {
          await RoamingReader(address: address, stack: stack.id, token: token)
            .listen(from: cursor, until: Self.alerts, end: end)
        }
      }
      async let raising = Self.raise(Self.alerts, stack: stack.id, hook: stack.hook, address, end: end)
      for restart in 1...4 {
        try await Task.sleep(for: .milliseconds(Int.random(in: 200...600)))
        server.process.signal(restart % 2 == 0 ? SIGKILL : SIGTERM)
        _ = await server.process.exitCode()
        server = try await Server(state)
        address.current = server.address
      }
      var heard: [RoamingReader.Heard] = []
      for try await one in group { heard.append(one) }
      return (heard, await raising)
    }
    #expect(await server.stop() == 0)
    #expect(raised.count == Self.alerts && Set(raised).count == Self.alerts)
    #expect(heard.count == Self.readers)
    for one in heard {
      #expect(one.ids == raised, "lost \(Set(raised).subtracting(one.ids).count) of \(raised.count)")
      #expect(one.faults.isEmpty)
    }
    #expect(heard.reduce(0) { $0 + $1.connections } > Self.readers * 5)
  }

  @Test("an open stream ends within a second after its device was revoked by a command, and is then told 410")
  func revoked() async throws {
    try await Server.with { server in
      let stack = try await Self.stack(on: server)
      let token = try #require(try await Self.devices(1, on: server, stack.id).first)
      let device = try #require(try await server.json("device", "list").array?.first?["device"]?.string)
      let stream = try await Self.open(stack.id, token, on: server)
      _ = try await stream.next()
      #expect(try await server.wake("device", "revoke", device).exitCode == 0)
      let revoked = ContinuousClock.now
      // Ends as it should: a stream that breaks off throws.
      while try await stream.next() != nil {}
      #expect(ContinuousClock.now - revoked < .seconds(10))
      let again = try await server.ask("GET", "/v1/stacks/\(stack.id)/events", token: token)
      #expect(again.status == 410 && again.json["code"] == "gone")
    }
  }

  @Test("200 open streams end cleanly when the server is asked to end")
  func shutdown() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let server = try await Server(state)
    var streams: [StreamedExchange] = []
    do {
      let stack = try await Self.stack(on: server)
      for token in try await Self.devices(50, on: server, stack.id) {
        for _ in 1...4 { streams.append(try await Self.open(stack.id, token, on: server)) }
      }
    } catch {
      _ = await server.stop()
      throw error
    }
    #expect(streams.count == 200)
    let start = ContinuousClock.now
    #expect(await server.stop() == 0)
    #expect(ContinuousClock.now - start < .seconds(15))
    for stream in streams { while try await stream.next() != nil {} }
  }

  /// A stack with its hook token.
  static func stack(on server: Server) async throws -> (id: String, hook: String) {
    let added = try await server.json("stack", "add", "home")
    return (try #require(added["stack"]?.string), try #require(added["hookToken"]?.string))
  }

  /// The tokens of so many phones without a distributor.
  static func devices(_ count: Int, on server: Server, _ stack: String) async throws -> [String] {
    var tokens: [String] = []
    for _ in 0..<count {
      let code = try #require(try await server.json("pair", stack)["code"]?.string)
      let reply = try await server.ask(
        "POST", "/v1/stacks/\(stack)/devices", token: code,
        json: ["client": .string(try Companion().client)])
      tokens.append(try #require(reply.json["token"]?.string))
    }
    return tokens
  }

  static func open(_ stack: String, _ token: String, on server: Server) async throws -> StreamedExchange {
    let stream = try await HTTPClient().stream(
      "GET", "http://\(server.address)/v1/stacks/\(stack)/events",
      headers: [("Authorization", "Bearer \(token)")], idleSeconds: 30)
    #expect(stream.status == 200)
    return stream
  }

  /// The cursor before the first alert, from a stream's hello.
  private static func start(of stack: String, on server: Server, _ token: String) async throws -> String {
    let stream = try await open(stack, token, on: server)
    defer { stream.cancel() }
    var reader = EventStreamReader()
    while let piece = try await stream.next() {
      _ = try reader.read(piece)
      if !reader.lastEventID.isEmpty { return reader.lastEventID }
    }
    throw CocoaError(.fileReadUnknown)
  }

  /// Raises alerts one after the other, each until it is acknowledged, as a core does that is told nothing; their ids.
  static func raise(
    _ count: Int, stack: String, hook: String, _ address: MovingAddress, end: ContinuousClock.Instant
  ) async -> [String] {
    var ids: [String] = []
    while ids.count < count, ContinuousClock.now < end {
      let body: JSONValue = [
        "kind": "problem", "ref": .string("\(ids.count)"), "moment": "once",
        "alert": ["text": .string("a line\nand \"another\"\r\u{2028}\(ids.count)")],
      ]
      let exchange = try? await HTTPClient(timeoutMilliseconds: 5_000).send(
        "POST", "http://\(address.current)/v1/stacks/\(stack)/alerts",
        headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", "application/json")],
        body: body.serialized())
      if let exchange, exchange.status == 202 || exchange.status == 200, let id = exchange.json["id"]?.string
      {
        ids.append(id)
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...6)))
      } else {
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    return ids
  }
}
