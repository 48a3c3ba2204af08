import Foundation
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// The whole service: hook calls, registrations, a fan-out, and memory.
struct ServiceBench {
  let options: Options

  private static let connections = 64

  func run(_ report: inout Report) async throws {
    let pushServer = try StandInPushServer()
    let service = try ServiceProcess(pushAllow: pushServer.origin)
    defer { service.end() }
    report.add("resident memory, idle", try service.residentMebibytes, "MiB")
    try hookCalls(service, &report)
    try await fanOut(service, pushServer, &report)
    await pushServer.stop()
  }

  /// `wrk` from another process: every answer means that the alert is on disk.
  private func hookCalls(_ service: ServiceProcess, _ report: inout Report) throws {
    let stack = try service.command("stack", "add", "hook")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "hook.lua")
    let wrk = Process()
    let output = Pipe()
    wrk.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    wrk.arguments = [
      "wrk", "--threads", "1", "--connections", "\(Self.connections)", "--duration", "\(options.seconds)s",
      "--script", script.path, "http://\(service.address)/v1/stacks/\(stack["stack"]?.string ?? "")/alerts",
    ]
    wrk.environment = ProcessInfo.processInfo.environment.merging([
      "BENCH_TOKEN": stack["hookToken"]?.string ?? "", "BENCH_KIND": Kind.allCases[0].name,
    ]) { $1 }
    wrk.standardOutput = output
    try wrk.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    wrk.waitUntilExit()
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").last { $0.hasPrefix("{") }
    guard let line, let figures = try? StrictJSON.parse(Array(line.utf8)),
      let requests = figures["requests"]?.integer, let microseconds = figures["microseconds"]?.integer,
      let p50 = figures["p50"]?.integer, let p99 = figures["p99"]?.integer, figures["failed"] == 0
    else { throw ServiceProcess.Failed(description: "wrk did not measure the hook without failures") }
    report.add(
      "hook calls, the alert durably stored", Double(requests) / Double(microseconds) * 1_000_000, "calls/s",
      "\(Self.connections) connections, wrk on the same cores")
    report.add("hook call, p50", Double(p50) / 1_000, "ms")
    report.add("hook call, p99", Double(p99) / 1_000, "ms")
  }

  /// Registers the devices through the service, then wakes all of them by one hook call.
  private func fanOut(_ service: ServiceProcess, _ pushServer: StandInPushServer, _ report: inout Report)
    async throws
  {
    let stack = try service.command("stack", "add", "fan-out")
    let (id, hook) = (stack["stack"]?.string ?? "", stack["hookToken"]?.string ?? "")
    let registration = ContinuousClock.now
    let idle = try service.processorSeconds
    let origin = pushServer.origin
    try await Registrar(service: service).register(
      options.devices, stack: { _ in id }, endpoint: { "\(origin)/up/\($0)" })
    let registered = (ContinuousClock.now - registration) / .seconds(1)
    report.add(
      "registrations, with a pairing code each", Double(options.devices) / registered, "devices/s",
      "\(options.devices) devices")
    _ = await pushServer.wait(for: options.devices, patience: .seconds(600))  // the activation wakes
    report.add(
      "resident memory, devices registered", try service.residentMebibytes, "MiB",
      "\(options.devices) devices")

    report.add(
      "processor time of a registration and its activation wake",
      (try service.processorSeconds - idle) / Double(options.devices) * 1_000_000, "µs")

    let before = pushServer.messages.count
    let registeredAt = try service.processorSeconds
    let start = ContinuousClock.now
    let reply = try await HTTPClient().send(
      "POST", "http://\(service.address)/v1/stacks/\(id)/alerts",
      headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", MediaType.json)],
      body: JSONValue.object(["kind": .string(Kind.allCases[0].name)]).serialized())
    guard reply.status == 202 else {
      throw ServiceProcess.Failed(description: "the hook answered \(reply.status)")
    }
    let woken = await pushServer.wait(for: before + options.devices, patience: .seconds(600)).count - before
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard woken == options.devices else {
      throw ServiceProcess.Failed(description: "\(woken) of \(options.devices) devices were woken")
    }
    report.add(
      "wakes through the whole service", Double(woken) / seconds, "wakes/s",
      "one hook call, a row each, stand-in push server on the same cores")
    report.add(
      "processor time of a wake", (try service.processorSeconds - registeredAt) / Double(woken) * 1_000_000,
      "µs")
    report.add(
      "resident memory, after the fan-out", try service.residentMebibytes, "MiB", "\(options.devices) devices"
    )
  }
}
