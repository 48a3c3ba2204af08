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

  /// How many descriptors are connections by IPv4 to one of these ports, and how many are anything else.
  static func descriptors(of pid: pid_t, to ports: Set<Int>) throws -> (connections: Int, others: Int) {
    let lines = try String(contentsOfFile: "/proc/\(pid)/net/tcp", encoding: .utf8).split(separator: "\n")
    var inodes: Set<String> = []
    for line in lines {
      // proc_pid_net(5): the third field is the other side's address, with its port in hexadecimal; the tenth is the inode.
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count > 9, let colon = fields[2].lastIndex(of: ":"),
        let port = Int(fields[2][colon...].dropFirst(), radix: 16), ports.contains(port)
      else { continue }
      inodes.insert("socket:[\(fields[9])]")
    }
    let folder = "/proc/\(pid)/fd"
    var (connections, others) = (0, 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // One that was closed meanwhile is none.
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      else { continue }
      if inodes.contains(target) { connections += 1 } else { others += 1 }
    }
    return (connections, others)
  }
}
