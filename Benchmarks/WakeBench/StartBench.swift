import Foundation
import HTTPClient

extension ServiceProcess {
  /// How the program starts and lists on a folder that holds many devices.
  static func measureStart(_ folder: URL, devices: Int, _ report: inout Report) async throws {
    let start = ContinuousClock.now
    let service = try ServiceProcess(pushAllow: "", folder: folder)
    let ready = try await HTTPClient().send("GET", "http://\(service.address)/readyz")
    guard ready.status == 200 else { throw Failed(description: "/readyz answers \(ready.status)") }
    report.add(
      "registry: ready after the start", (ContinuousClock.now - start) / .seconds(1), "s",
      "\(devices) devices; goal 1")
    report.add("registry: resident memory of the server", try service.residentMebibytes, "MiB", "goal 200")
    try list(folder, &report)
    service.end()
  }

  private static func list(_ folder: URL, _ report: inout Report) throws {
    let list = Process()
    let output = Pipe()
    list.executableURL = program
    list.arguments = ["device", "list"]
    list.environment = ["WAKE_STATE_DIR": folder.path]
    list.standardOutput = output
    let start = ContinuousClock.now
    try list.run()
    var first: Duration?
    var octets = 0
    var peak = 0.0
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      if first == nil { first = ContinuousClock.now - start }
      octets += data.count
      peak = max(peak, (try? memory(of: list.processIdentifier)) ?? 0)
    }
    list.waitUntilExit()
    guard list.terminationStatus == 0, let first else { throw Failed(description: "wake device list failed") }
    report.add("registry: first rows of wake device list", first / .milliseconds(1), "ms")
    report.add(
      "registry: all rows of wake device list", (ContinuousClock.now - start) / .seconds(1), "s",
      "\(octets / 1_048_576) MiB of text")
    report.add("registry: resident memory of wake device list", peak, "MiB")
  }
}
