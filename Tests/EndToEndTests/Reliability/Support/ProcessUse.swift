import Foundation
import Testing

/// What a process uses of the machine, as the kernel counts it.
struct ProcessUse: Sendable {
  /// The most that the service may ever take: a `MemoryMax` that a small machine can spare.
  static let memoryMaximumMebibytes = 128

  /// Resident memory now, and the most it ever was.
  let kibibytes: Int
  let peakKibibytes: Int
  /// Open descriptors.
  let descriptors: Int

  init(of pid: pid_t) throws {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    func number(_ name: String) throws -> Int {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") }, "\(name)")
      return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }
    kibibytes = try number("VmRSS")
    peakKibibytes = try number("VmHWM")
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
  }

  /// Notes the most memory that a server took, and expects that to be little enough.
  static func expectSmall(_ server: Server, during what: String) throws {
    let mebibytes = try ProcessUse(of: server.process.pid).peakKibibytes / 1_024
    Figures.note("most memory, \(what)", "\(mebibytes) MiB")
    #expect(mebibytes < memoryMaximumMebibytes, "\(what)")
  }
}
