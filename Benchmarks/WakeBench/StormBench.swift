import Foundation
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// A core that has gone wrong: an alert every few milliseconds on a stack of many devices, each of which gets one wake
/// at once and one at its window's end.
struct StormBench {
  let options: Options

  private static let alerts = 1_000
  private static let alertsPerSecond = 100
  /// Two wakes of each device, the second after the usual window.
  private static let wakes = 2

  func run(_ report: inout Report) async throws {
    let devices = options.stormDevices
    let pushServer = try StandInPushServer()
    let service = try ServiceProcess(pushAllow: pushServer.origin)
    defer { service.end() }
    let stack = try service.command("stack", "add", "storm")
    let (id, hook) = (stack["stack"]?.string ?? "", stack["hookToken"]?.string ?? "")
    let origin = pushServer.origin
    try await Registrar(service: service).register(
      devices, stack: { _ in id }, endpoint: { "\(origin)/up/\($0)" })
    _ = await pushServer.wait(for: devices, patience: .seconds(600))  // the activation wakes
    let (memory, time) = (try service.residentMebibytes, try service.processorSeconds)
    let start = ContinuousClock.now
    let peak = try await raise(service, id, hook)
    let raised = (ContinuousClock.now - start) / .seconds(1)
    let first = pushServer.messages.count - devices
    let timeOfAlerts = try service.processorSeconds - time
    let all = devices * (1 + Self.wakes)
    let woken = await pushServer.wait(for: all, patience: .seconds(120)).count - devices
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard woken == devices * Self.wakes else {
      throw ServiceProcess.Failed(description: "\(woken) wakes for \(devices) devices, and not twice as many")
    }
    let note = "\(Self.alerts) alerts in \(Int(raised.rounded())) s, \(devices) devices, window 30 s"
    report.add("storm: processor time of the service while alerts come", timeOfAlerts, "s", note)
    report.add("storm: wakes in that time", Double(first), "wakes")
    report.add(
      "storm: processor time to the end of the windows", try service.processorSeconds - time, "s",
      "\(woken) wakes in \(Int(seconds.rounded())) s")
    report.add("storm: resident memory before", memory, "MiB")
    report.add("storm: resident memory, peak while alerts come", peak, "MiB")
    report.add("storm: resident memory, after", try service.residentMebibytes, "MiB")
    await pushServer.stop()
  }

  /// Raises the alerts at an even rate; the most resident memory that the service had meanwhile.
  private func raise(_ service: ServiceProcess, _ stack: String, _ hook: String) async throws -> Double {
    let http = HTTPClient()
    let body = JSONValue.object(["kind": .string(Kind.allCases[0].name)]).serialized()
    let start = ContinuousClock.now
    var peak = 0.0
    for number in 0..<Self.alerts {
      try await ContinuousClock().sleep(until: start + .seconds(1) * number / Self.alertsPerSecond)
      let reply = try await http.send(
        "POST", "http://\(service.address)/v1/stacks/\(stack)/alerts",
        headers: [("Authorization", "Bearer \(hook)"), ("Content-Type", MediaType.json)], body: body)
      guard reply.status == 202 else {
        throw ServiceProcess.Failed(description: "the hook answered \(reply.status)")
      }
      if number % Self.alertsPerSecond == 0 { peak = max(peak, try service.residentMebibytes) }
    }
    return max(peak, try service.residentMebibytes)
  }
}
