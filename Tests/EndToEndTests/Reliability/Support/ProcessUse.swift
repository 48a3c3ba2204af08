import Foundation
import Testing

/// What a process uses of the machine, as the kernel counts it.
struct ProcessUse: Sendable {
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
}
