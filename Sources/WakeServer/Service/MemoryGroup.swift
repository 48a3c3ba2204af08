internal import Foundation

/// The control group that this process is in, and what memory the kernel gives to it (cgroups(7)).
enum MemoryGroup {
  /// What the older interface says where nobody set a limit: the largest number of pages.
  private static let unlimited = Int.max / 2

  /// Octets that the process and those beside it may have: the least of the limits of its group and of those above it; nil where
  /// nobody set one, or it cannot be known.
  ///
  /// - Parameters:
  ///   - membership: where the kernel says which groups the process is in.
  ///   - root: where the groups are mounted.
  static func limit(membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup") -> Int? {
    let lines = text(membership)?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [Int] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      if fields[1].split(separator: ",").contains("memory") {
        return limits(below: "\(root)/memory", fields[2], "memory.limit_in_bytes")
      }
      return fields[0] == "0" ? limits(below: root, fields[2], "memory.max") : []
    }.min()
  }

  private static func limits(below root: String, _ group: Substring, _ name: String) -> [Int] {
    let parts = group.split(separator: "/").filter { $0 != ".." }
    return (0...parts.count).compactMap { depth in
      let folder = ([root] + parts.prefix(depth).map(String.init)).joined(separator: "/")
      // `max` is no number.
      return text("\(folder)/\(name)").flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }.filter { $0 < unlimited }
  }

  private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
