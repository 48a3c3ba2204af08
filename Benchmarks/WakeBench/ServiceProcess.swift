import Foundation
import StrictJSON

/// The release build of `wake serve`, beside this program, on a folder of its own.
final class ServiceProcess {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  let folder: URL
  private(set) var address = ""
  private let process = Process()

  /// The program beside this one.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("wake")

  /// - Parameter folder: what it works on; nil makes a new one.
  ///   `settings` are more of its environment.
  init(pushAllow: String, folder: URL? = nil, settings: [String: String] = [:]) throws {
    self.folder =
      folder
      ?? FileManager.default.temporaryDirectory.appendingPathComponent(
        "wake-bench-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let output = Pipe()
    process.executableURL = Self.program
    process.arguments = ["serve", "--json", "--log-level", "error"]
    process.environment = [
      "WAKE_STATE_DIR": self.folder.path, "WAKE_LISTEN": "127.0.0.1:0", "WAKE_PUSH_ALLOW": pushAllow,
      // What is measured is how fast it goes, not how fast it lets one token go.
      "WAKE_RATE_HOOK": "off",
    ].merging(settings) { $1 }
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while !line.contains(UInt8(ascii: "\n")) {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failed(description: "wake serve ended at once") }
      line += data
    }
    guard let address = try StrictJSON.parse(line)["listening"]?.string else {
      throw Failed(description: "wake serve does not say where it listens")
    }
    self.address = address
  }

  /// Resident memory in MiB (`VmRSS`).
  var residentMebibytes: Double {
    get throws { try Self.memory(of: process.processIdentifier) }
  }

  /// The most resident memory that it has had so far, in MiB (`VmHWM`).
  var peakMebibytes: Double {
    get throws { try Self.memory(of: process.processIdentifier, "VmHWM:") }
  }

  /// Resident memory of a process in MiB.
  static func memory(of process: Int32, _ field: String = "VmRSS:") throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
    guard let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) }) else {
      throw Failed(description: "/proc does not show the memory of the process")
    }
    return kibibytes / 1_024
  }

  /// Processor time that the process has used so far, in seconds (`utime` and `stime`).
  var processorSeconds: Double {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      // The name, in parentheses, is the second field; what follows is counted from the third.
      let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
      guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
        throw Failed(description: "/proc does not show the time of the process")
      }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  /// Runs a command of the program on the same folder.
  func command(_ arguments: String...) throws -> JSONValue {
    let command = Process()
    let output = Pipe()
    command.executableURL = Self.program
    command.arguments = arguments + ["--json"]
    command.environment = ["WAKE_STATE_DIR": folder.path]
    command.standardOutput = output
    try command.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    command.waitUntilExit()
    guard command.terminationStatus == 0 else { throw Failed(description: "wake \(arguments[0]) failed") }
    return try StrictJSON.parse(Array(data))
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
