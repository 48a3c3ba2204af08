import Foundation

/// How long after a hook call the wakes of healthy push servers are on the wire, with black holes among them and without.
struct IsolationBench {
  private static let healthy = 950
  private static let perOrigin = 50
  private static let blackHoles = 50
  private static let turns = 10

  /// A socket that connections are made to and that nobody ever reads from.
  private static func blackHole() throws -> (port: Int, socket: Int32) {
    let port = try TLSFolder.freePort()
    return (port, try LoopbackAddress.listen(port: port))
  }

  func run(_ report: inout Report) async throws {
    let sinks = try (0..<Self.healthy / Self.perOrigin).map { _ in try WireSink() }
    let holes = try (0..<Self.blackHoles).map { _ in try Self.blackHole() }
    defer {
      for sink in sinks { sink.end() }
      for hole in holes { close(hole.socket) }
    }
    let service = try WokenService(pushAllow: "127.0.0.1/32")
    defer { service.process.end() }
    let stacks = try service.addStacks(2)
    // The first stack has healthy push servers alone, the second one the same and black holes.
    let registrar = Registrar(service: service.process)
    for (place, stack) in stacks.enumerated() {
      try await registrar.register(
        Self.healthy, stack: { _ in stack },
        endpoint: { device in
          let sink = sinks[device / Self.perOrigin]
          return "http://127.0.0.1:\(sink.port)/\(place)/\(place * Self.healthy + device)"
        })
    }
    try await registrar.register(
      Self.blackHoles, stack: { _ in stacks[1] }, endpoint: { "http://127.0.0.1:\(holes[$0].port)/\($0)" })
    try await wait(for: 2 * Self.healthy, sinks)  // the activation wakes
    var latencies: [[Double]] = [[], []]
    for turn in 0..<Self.turns {
      for place in stacks.indices {
        let start = ContinuousClock.now
        try await service.raise(place)
        try await wait(for: (2 + 2 * turn + place + 1) * Self.healthy, sinks)
        for device in 0..<Self.healthy {
          let arrivals = sinks[device / Self.perOrigin].arrivals(at: place * Self.healthy + device)
          latencies[place].append(((arrivals.last ?? start) - start) / .milliseconds(1))
        }
      }
    }
    let p99 = latencies.map { $0.sorted()[$0.count * 99 / 100] }
    report.add(
      "hook call to the wake on the wire, \(Self.healthy) devices, p99", p99[0], "ms",
      "\(sinks.count) push servers")
    report.add(
      "the same with \(Self.blackHoles) black holes beside them, p99", p99[1], "ms",
      String(format: "%.2f times; goal 2", p99[1] / p99[0]))
  }

  private func wait(for count: Int, _ sinks: [WireSink]) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while sinks.reduce(0, { $0 + $1.count }) < count {
      guard ContinuousClock.now < deadline else {
        throw ServiceProcess.Failed(
          description: "\(sinks.reduce(0) { $0 + $1.count }) of \(count) wakes came")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
