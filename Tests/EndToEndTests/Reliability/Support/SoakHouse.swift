import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

/// One stack of a soak: its core raises alerts, its phones are woken, and its readers come and go.
struct SoakHouse: Sendable {
  /// What its core was answered, and what its readers heard.
  struct Told: Sendable {
    var raised: [String] = []
    var heard: [RoamingReader.Heard] = []
  }

  /// Octets of an event stream, about a quarter of a minute at 10 alerts a second, after which the last connection breaks.
  private static let longestConnection = 80_000

  private let server: Server
  private let stack: String
  private let hook: String
  private let cursor: String
  private let readers: [RoamingReader]
  private let kind: [Registered]
  private let hostile: [Registered]

  init(_ number: Int, on server: Server, _ push: SoakPushServers, readers count: Int) async throws {
    self.server = server
    let added = try await server.json("stack", "add", "house \(number)")
    stack = try #require(added["stack"]?.string)
    hook = try #require(added["hookToken"]?.string)
    let endpoints = push.endpoints(of: number)
    (kind, hostile) = (
      try await Self.register(endpoints.kind, stack, on: server),
      try await Self.register(endpoints.hostile, stack, on: server)
    )
    let address = MovingAddress()
    address.current = server.address
    let stack = stack
    readers = try await StreamTests.devices(count, on: server, stack)
      .map {
        RoamingReader(address: address, stack: stack, token: $0, longest: Self.longestConnection)
      }
    // Nothing was raised yet.
    cursor = try #require(
      try StoreReading.texts(
        "SELECT epoch || '-0' FROM stacks WHERE id = '\(stack)'", in: server.state.path("state/wake.sqlite")
      ).first)
  }

  private static func register(
    _ endpoints: [String], _ stack: String, on server: Server
  ) async throws -> [Registered] {
    var phones: [Registered] = []
    for endpoint in endpoints { phones.append(try await server.register(stack, endpoint: endpoint)) }
    return phones
  }

  /// Raises so many alerts at a steady pace, while its readers listen until they have heard all.
  func live(alerts count: Int, every pace: Duration, until end: ContinuousClock.Instant) async -> Told {
    await withTaskGroup(of: RoamingReader.Heard.self) { group in
      for reader in readers {
        group.addTask { await reader.listen(from: cursor, until: count, end: end) }
      }
      let raised = await raise(count, every: pace, until: end)
      return Told(raised: raised, heard: await group.reduce(into: []) { $0.append($1) })
    }
  }

  /// Raises one alert more, of which nobody keeps an account.
  func raiseOne() async throws { _ = try await server.raise(stack, hook) }

  private func raise(
    _ count: Int, every pace: Duration, until end: ContinuousClock.Instant
  ) async -> [String] {
    let http = HTTPClient(timeoutMilliseconds: 10_000)
    var ids: [String] = []
    let begin = ContinuousClock.now
    while ids.count < count, ContinuousClock.now < end {
      // By the clock, so that a slow answer delays the next alert and not all that follow.
      try? await Task.sleep(until: begin + pace * ids.count)
      let body: JSONValue = [
        "kind": "problem", "ref": .string("\(ids.count)"), "moment": "once",
        "alert": ["text": .string(String(repeating: "x", count: Int.random(in: 0...400)))],
      ]
      let reply = try? await http.send(
        "POST", "http://\(server.address)/v1/stacks/\(stack)/alerts",
        headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", "application/json")],
        body: body.serialized())
      if let reply, [200, 202].contains(reply.status), let id = reply.json["id"]?.string { ids.append(id) }
    }
    return ids
  }

  /// Checks that each alert stands for each phone in one row of a wake, or waits behind its push server's pause or
  /// silence; how many that are.
  func account(for count: Int, within patience: Duration) async throws -> Int {
    for phone in kind {
      #expect(
        try await eventually(within: patience) { try standing(of: phone) == (count, 0) },
        "a phone was not told")
    }
    for phone in kind + hostile {
      // What its push server says may move a span from a row back to what waits: looked at until it stands still.
      let isWhole = try await eventually(within: patience) {
        let standing = try standing(of: phone)
        return try covered(of: phone, through: standing.decided - standing.waiting)
      }
      #expect(isWhole, "an alert is in no row of \(phone.endpoint), or in two")
    }
    return count * (kind.count + hostile.count)
  }

  /// How many alerts were decided on for a phone, and how many of those wait.
  private func standing(of phone: Registered) throws -> (decided: Int, waiting: Int) {
    let found = try StoreReading.texts(
      "SELECT seen || ' ' || coalesce(pending_count, 0) FROM devices WHERE id = '\(phone.device)'",
      in: server.state.path("state/wake.sqlite"))
    let numbers = try #require(found.first).split(separator: " ").compactMap { Int($0) }
    return (numbers[0], numbers[1])
  }

  /// Whether rows of wakes stand for the alerts 1 to `last` of a phone, each for those that follow the last row's.
  private func covered(of phone: Registered, through last: Int) throws -> Bool {
    let rows = try StoreReading.texts(
      """
      SELECT substr(alert_first, instr(alert_first, '-') + 1) || ' ' || substr(alert_last, instr(alert_last, '-') + 1)
        || ' ' || alert_count
      FROM attempts WHERE device = '\(phone.device)' AND purpose = 'alert'
        AND outcome NOT IN ('muted', 'coalesced', 'held') ORDER BY id
      """, in: server.state.path("state/wake.sqlite"))
    var next = 1
    for row in rows {
      let numbers = row.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3, numbers[0] == next, numbers[2] == numbers[1] - numbers[0] + 1 else {
        return false
      }
      next = numbers[1] + 1
    }
    return next == last + 1
  }
}
