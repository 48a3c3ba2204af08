import Foundation
import HTTPClient
import KindCatalogue
import StrictJSON
import WakeServer

/// What hundreds of slow connections cost everybody else: hook calls at an even rate to a service that has them, and at
/// the same time to one that has not, so that both suffer alike from whatever else the machine does.
struct SlowBench {
  private static let connections = 400
  private static let seconds = 60
  private static let callsPerSecond = 100

  func run(_ report: inout Report) async throws {
    let services = try (0..<2).map { _ in try ServiceProcess(pushAllow: "") }
    defer { for service in services { service.end() } }
    let stacks = try services.map { service in
      let stack = try service.command("stack", "add", "slow")
      return (id: stack["stack"]?.string ?? "", hook: stack["hookToken"]?.string ?? "")
    }
    // The first calls find caches cold.
    for (service, stack) in zip(services, stacks) {
      _ = try await calls(service.address, stack.id, stack.hook, seconds: 2)
    }
    let slow = try SlowConnections(address: services[1].address, count: Self.connections)
    let addresses = services.map(\.address)
    async let quiet = calls(addresses[0], stacks[0].id, stacks[0].hook, seconds: Self.seconds)
    async let beside = calls(addresses[1], stacks[1].id, stacks[1].hook, seconds: Self.seconds)
    let (alone, together) = (Self.p99(try await quiet), Self.p99(try await beside))
    let closed = slow.closed
    let memory = try services.map { try $0.residentMebibytes }
    let time = try services.map { try $0.processorSeconds }
    slow.stop()
    report.add(
      "a hook call, p99", alone, "ms", "\(Self.callsPerSecond) a second, from the moment each was due")
    report.add(
      "the same beside \(Self.connections) slow connections, p99", together, "ms",
      String(format: "for %d s; %.2f times; goal 2", Self.seconds, together / alone))
    report.add("processor time of the service", time[0], "s")
    report.add("the same with the slow connections", time[1], "s")
    report.add(
      "a head that trickles in is cut after", closed.heads.max() ?? .nan, "s",
      "the longest of \(closed.heads.count), from its first octet; limit 10, looked at once a second")
    report.add(
      "a body that trickles in is cut after", closed.bodies.max() ?? .nan, "s",
      "the longest of \(closed.bodies.count); limit 30")
    report.add("resident memory with them", memory[1], "MiB", String(format: "%.0f without", memory[0]))
  }

  /// Calls at even intervals, whether the ones before have been answered or not; the time of each in milliseconds.
  private func calls(_ address: String, _ stack: String, _ hook: String, seconds: Int) async throws
    -> [Double]
  {
    let http = HTTPClient()
    let body = JSONValue.object(["kind": .string(Kind.allCases[0].name)]).serialized()
    let start = ContinuousClock.now
    return try await withThrowingTaskGroup(of: Double.self) { group in
      for index in 0..<seconds * Self.callsPerSecond {
        let due = start + .seconds(1) * index / Self.callsPerSecond
        try await Task.sleep(until: due, clock: .continuous)
        group.addTask {
          let reply = try await http.send(
            "POST", "http://\(address)/v1/stacks/\(stack)/alerts",
            headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", MediaType.json)], body: body)
          guard reply.status == 202 else {
            throw ServiceProcess.Failed(description: "the hook answered \(reply.status)")
          }
          return (ContinuousClock.now - due) / .milliseconds(1)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func p99(_ times: [Double]) -> Double { times.sorted()[times.count * 99 / 100] }
}
