import CryptoPrimitives
import EndpointRegistry
import Foundation
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// The record: alerts at an even rate, open streams, and what it takes to catch up.
struct StreamBench {
  let options: Options

  private static let streams = 1_000
  private static let streamsPerDevice = 4
  private static let alertsPerSecond = 100
  private static let hooksPerSecond = 1_000
  private static let replayed = 200
  private static let replays = 100
  /// Streams that were open before, so that what the service keeps ready is not counted as theirs.
  private static let streamsBefore = 100
  private static let kept = [200, 10_000]

  func run(_ report: inout Report) async throws {
    let service = try ServiceProcess(pushAllow: "")
    defer { service.end() }
    try await evenRate(service, &report)
    try await openStreams(service, &report)
    for kept in Self.kept { try await replay(service, kept: kept, &report) }
  }

  private struct StackOfBench: Sendable {
    let id: String
    let hook: String
    let cursor: String
    let tokens: [String]
  }

  /// A stack with phones that have no distributor.
  private func stack(_ label: String, devices: Int, on service: ServiceProcess) async throws -> StackOfBench {
    let added = try service.command("stack", "add", label)
    guard let id = added["stack"]?.string, let stack = StackID(id) else {
      throw ServiceProcess.Failed(description: "no stack")
    }
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": service.folder.path])
    let store = try Configuration(sources, environment: [:], workingFolder: "/").openStore(create: false)
    var tokens: [String] = []
    var cursor = ""
    for _ in 0..<devices {
      let now = WallClock.system.now()
      let code = try await store.addPairing(
        stack: stack, at: now, expiresAt: now + Limits.pairingMilliseconds)
      let reply = try await HTTPClient().send(
        "POST", "http://\(service.address)/v1/stacks/\(id)/devices",
        headers: [("Authorization", "Bearer \(code.text)"), ("Content-Type", MediaType.json)],
        body: JSONValue.object(["client": .string(try Companion().client)]).serialized())
      let answer = try StrictJSON.parse(reply.body)
      guard let token = answer["token"]?.string, let start = answer["cursor"]?.string else {
        throw ServiceProcess.Failed(description: "a registration was answered \(reply.status)")
      }
      tokens.append(token)
      cursor = start
    }
    await store.close()
    return StackOfBench(id: id, hook: added["hookToken"]?.string ?? "", cursor: cursor, tokens: tokens)
  }

  private static func raise(_ stack: StackOfBench, at address: String, _ http: HTTPClient) async throws {
    let reply = try await http.send(
      "POST", "http://\(address)/v1/stacks/\(stack.id)/alerts",
      headers: [("Authorization", "Bearer \(stack.hook)"), ("Content-Type", MediaType.json)],
      body: JSONValue.object([
        "kind": .string(Kind.allCases[0].name),
        "ref": .string("\(StreamReaders.now)-\(UInt32.random(in: 0 ... .max))"),
        "moment": "once",
      ]).serialized())
    guard reply.status == 202 else {
      throw ServiceProcess.Failed(description: "the hook answered \(reply.status)")
    }
  }

  /// Calls at even intervals, whether the ones before have been answered or not; the time of each, in milliseconds,
  /// from the moment at which it was due.
  private func raise(
    perSecond: Int, _ stack: StackOfBench, on service: ServiceProcess
  ) async throws -> [Double] {
    let start = ContinuousClock.now
    let (address, http, calls) = (service.address, HTTPClient(), perSecond * options.seconds)
    return try await withThrowingTaskGroup(of: Double.self) { group in
      for index in 0..<calls {
        let due = start + .seconds(1) * index / perSecond
        try await Task.sleep(until: due, clock: .continuous)
        group.addTask {
          try await Self.raise(stack, at: address, http)
          return (ContinuousClock.now - due) / .milliseconds(1)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func evenRate(_ service: ServiceProcess, _ report: inout Report) async throws {
    let stack = try await stack("even", devices: 0, on: service)
    let times = try await raise(perSecond: Self.hooksPerSecond, stack, on: service)
    report.add(
      "hook call at \(Self.hooksPerSecond) a second, p99", Self.quantile(0.99, of: times), "ms",
      "from the moment it was due, client on the same cores; goal 10")
  }

  private func openStreams(_ service: ServiceProcess, _ report: inout Report) async throws {
    let stack = try await stack(
      "streams", devices: Self.streams / Self.streamsPerDevice, on: service)
    let tokens = stack.tokens.flatMap { Array(repeating: $0, count: Self.streamsPerDevice) }
    try StreamReaders(
      address: service.address, stack: stack.id, tokens: Array(tokens.prefix(Self.streamsBefore))
    ).stop()
    try await Task.sleep(for: .seconds(3))
    let before = try service.residentMebibytes
    let readers = try StreamReaders(address: service.address, stack: stack.id, tokens: tokens)
    report.add(
      "memory of an idle stream", (try service.residentMebibytes - before) * 1_024 / Double(Self.streams),
      "KiB",
      "\(Self.streams) open; goal 32")
    let raised = try await raise(perSecond: Self.alertsPerSecond, stack, on: service).count
    let expected = raised * Self.streams
    let end = ContinuousClock.now + .seconds(30)
    while readers.milliseconds.count < expected, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(20))
    }
    let delays = readers.milliseconds
    readers.stop()
    guard delays.count == expected, readers.ends == 0 else {
      throw ServiceProcess.Failed(
        description: "\(delays.count) of \(expected) alerts came, \(readers.ends) streams ended")
    }
    let note = "\(Self.streams) streams, \(Self.alertsPerSecond) alerts a second, from the call to the reader"
    report.add("an alert on every stream, p50", Self.quantile(0.5, of: delays), "ms", note)
    report.add("an alert on every stream, p99", Self.quantile(0.99, of: delays), "ms", "goal 100")
  }

  /// From the request to the last of the newest alerts, when so many are kept.
  private func replay(_ service: ServiceProcess, kept: Int, _ report: inout Report) async throws {
    let stack = try await stack("replay \(kept)", devices: 1, on: service)
    let (address, http) = (service.address, HTTPClient())
    for _ in stride(from: 0, to: kept, by: 100) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 { group.addTask { try await Self.raise(stack, at: address, http) } }
        try await group.waitForAll()
      }
    }
    let epoch = stack.cursor.prefix { $0 != "-" }
    var times: [Double] = []
    for _ in 0..<Self.replays {
      times.append(
        try StreamReaders.replay(
          address: service.address, stack: stack.id, token: stack.tokens[0],
          after: "\(epoch)-\(kept - Self.replayed)", count: Self.replayed))
    }
    report.add(
      "replay of \(Self.replayed) alerts, p50", Self.quantile(0.5, of: times), "ms",
      "\(kept) kept, the connection included; goal 5")
  }

  private static func quantile(_ part: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
