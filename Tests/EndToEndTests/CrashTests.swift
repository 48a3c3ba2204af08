import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("A server that is killed again and again")
struct CrashTests {
  private static let kills = 50
  private static let phones = 6
  private static let kinds = ["problem", "backup", "update"]

  @Test("50 kills lose no acknowledged alert, repeat no wake, and leave nobody who is not told in the end")
  func kills() async throws {
    let pushServer = try StandInPushServer()
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "1"]
    var server = try await Server(state, settings)
    let stack = try await StreamTests.stack(on: server)
    var companions: [String: Companion] = [:]
    for number in 0..<Self.phones {
      let code = try #require(try await server.json("pair", stack.id)["code"]?.string)
      let companion = try Companion()
      let reply = try await server.ask(
        "POST", "/v1/stacks/\(stack.id)/devices", token: code,
        json: [
          "client": .string(companion.client), "endpoint": .string("\(pushServer.origin)/up/\(number)"),
          "keys": companion.keys, "muted": number == 0 ? ["update"] : [],
        ])
      #expect(reply.status == 201)
      companions["/up/\(number)"] = companion
    }

    var acknowledged: [String] = []
    for kill in 1...Self.kills {
      let address = server.address
      let before = pushServer.messages.count
      // Every other time some wakes are on their way first, however slow the machine is, and with pauses, so that all
      // alerts of this test are still kept at its end.
      let waits = kill % 2 == 0
      async let raised = Self.raise(
        on: address, stack.id, stack.hook, pause: waits ? .milliseconds(20) : .zero)
      if waits { _ = await pushServer.wait(for: before + 3, patience: .seconds(3)) }
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...120)))
      server.process.signal(SIGKILL)
      _ = await server.process.exitCode()
      acknowledged += await raised
      server = try await Server(state, settings)
    }
    let database = state.path("state/wake.sqlite")
    let owed = """
      SELECT count(*) FROM devices d JOIN stacks s ON s.serial = d.stack
      WHERE d.is_subscribed = 1 AND (d.pending_count > 0 OR d.seen < s.newest_waking)
      """
    let end = ContinuousClock.now + .seconds(60)
    while try StoreReading.texts(owed, in: database) != ["0"], ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try StoreReading.texts(owed, in: database) == ["0"])
    #expect(await server.stop() == 0)
    await pushServer.stop()

    let kept = Set(try StoreReading.texts("SELECT epoch || '-' || number FROM alerts", in: database))
    #expect(acknowledged.count > Self.kills)
    #expect(Set(acknowledged).subtracting(kept).isEmpty)
    try Self.checkWakes(pushServer.messages, companions)
    try Self.checkRows(database)
  }

  /// Raises alerts as fast as they are acknowledged, until the server is gone; their ids.
  private static func raise(
    on address: String, _ stack: String, _ hook: String, pause: Duration
  ) async -> [String] {
    var ids: [String] = []
    let http = HTTPClient(timeoutMilliseconds: 2_000)
    while true {
      let body: JSONValue = [
        "kind": .string(kinds[ids.count % kinds.count]), "wake": .bool(ids.count % 7 != 3),
      ]
      let exchange = try? await http.send(
        "POST", "http://\(address)/v1/stacks/\(stack)/alerts",
        headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", "application/json")],
        body: body.serialized())
      guard let exchange, exchange.status == 202, let id = exchange.json["id"]?.string else { return ids }
      ids.append(id)
      if pause > .zero { try? await Task.sleep(for: pause) }
    }
  }

  /// No wake reached the push server twice.
  private static func checkWakes(
    _ messages: [StandInPushServer.Message], _ companions: [String: Companion]
  ) throws {
    var receipts: Set<String> = []
    for message in messages {
      let companion = try #require(companions[message.target])
      let wake = try StrictJSON.parse(companion.decrypt(message.body))
      let receipt = try #require(wake["w"]?.string)
      let isNew = receipts.insert(receipt).inserted
      #expect(isNew)
    }
    #expect(messages.count > kills)
  }

  /// Every alert that is to wake is in exactly one row of a wake, or of a mute, for each device.
  private static func checkRows(_ database: String) throws {
    let waking = try StoreReading.texts(
      "SELECT number || ' ' || kind FROM alerts WHERE wakes = 1", in: database
    )
    .map { $0.split(separator: " ") }.map { (number: Int($0[0]) ?? 0, kind: String($0[1])) }
    let devices = try StoreReading.texts("SELECT id FROM devices", in: database)
    #expect(devices.count == phones)
    for device in devices {
      let muted = try StoreReading.texts("SELECT muted FROM devices WHERE id = '\(device)'", in: database)
      let rows = try StoreReading.texts(
        """
        SELECT outcome || ' ' || substr(alert_first, 10) || ' ' || substr(alert_last, 10) || ' ' || alert_count
        FROM attempts WHERE device = '\(device)' AND purpose = 'alert' ORDER BY id
        """, in: database
      ).map { $0.split(separator: " ").map(String.init) }
      let wakes = rows.filter { ["accepted", "unknown"].contains($0[0]) }
      let others = rows.filter { !["accepted", "unknown", "coalesced", "muted"].contains($0[0]) }
      #expect(others.isEmpty)
      let heard = waking.filter { !muted.contains($0.kind) }.map(\.number)
      var covered: [Int] = []
      for wake in wakes {
        let span = (Int(wake[1]) ?? 0)...(Int(wake[2]) ?? 0)
        let inside = heard.filter(span.contains)
        #expect(inside.count == Int(wake[3]), "\(wake)")
        covered += inside
      }
      #expect(covered == heard)
      let mutedCount = rows.filter { $0[0] == "muted" }.reduce(0) { $0 + (Int($1[3]) ?? 0) }
      #expect(mutedCount == waking.count - heard.count)
    }
  }
}
