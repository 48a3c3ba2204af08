import Foundation
import TestSupport
import Testing

/// What the kernel gives to the servers of a test, and no more: the group of processes that `MemoryMax=128M` is.
///
/// The kernel ends a process that needs more than that. Pages of files that it has read or written are counted as well,
/// and those it takes back. Where this user may make no group, resident memory is watched and nothing else.
struct MemoryLimit: Sendable {
  /// The most that the service may ever take: what a small machine can spare.
  static let mebibytes = 128 * Sanitizer.memoryFactor
  static let unavailable: Comment = "SKIPPED: no group of processes can be made here with a limit of memory"

  private let group: MemoryGroup?
  /// What runs the command that follows it within the limit.
  let launcher: [String]

  init() {
    group = MemoryGroup(bytes: Self.mebibytes * 1_024 * 1_024)
    launcher = group.map { ["/bin/sh", "-c", #"echo $$ > "$0" && exec "$@""#, $0.members] } ?? []
  }

  /// Whether groups can be made here.
  static var isHere: Bool {
    let limit = MemoryLimit()
    defer { limit.remove() }
    return limit.group != nil
  }

  /// How many processes the kernel has ended for it; none where there is no group.
  var kills: Int { get throws { try group?.kills ?? 0 } }

  /// Expects that a server took little memory, and that nothing was ended for the lack of it; notes how much it was.
  func expectKept(by server: Server, during what: String) throws {
    Self.note(what, try expectKept(by: server, what))
  }

  /// The same without a note; the MiB of resident memory that it took at most.
  func expectKept(by server: Server, _ what: String) throws -> Int {
    let resident = try ProcessUse(of: server.process.pid).peakKibibytes / 1_024
    #expect(resident < Self.mebibytes, "\(what)")
    #expect(try kills == 0, "\(what): ended for lack of memory")
    return resident
  }

  static func note(_ what: String, _ resident: Int) {
    let limit = isHere ? "under a limit of \(mebibytes) MiB" : "no limit can be set here"
    Figures.note("most memory, \(what)", "\(resident) MiB, \(limit)")
  }

  /// To be called when its servers have ended.
  func remove() { group?.remove() }
}

/// A control group of the kernel's with a limit of memory, by either of its two interfaces.
private struct MemoryGroup: Sendable {
  private let folder: String
  private let isUnified: Bool

  /// The file that a process writes its id to, to become a member.
  var members: String { "\(folder)/cgroup.procs" }

  /// Nil where this user may make none.
  init?(bytes: Int) {
    guard let (parent, isUnified) = Self.parents.first(where: { access($0.folder, W_OK) == 0 }) else {
      return nil
    }
    folder = "\(parent)/wake-test-\(UUID().uuidString)"
    self.isUnified = isUnified
    guard mkdir(folder, 0o755) == 0 else { return nil }
    do {
      let settings =
        isUnified
        ? [("memory.max", "\(bytes)"), ("memory.swap.max", "0")]
        : [("memory.limit_in_bytes", "\(bytes)"), ("memory.swappiness", "0")]
      for (name, value) in settings {
        try Data(value.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
    } catch {
      remove()
      return nil
    }
  }

  /// Where a group may stand beside or below this process's own, after cgroups(7).
  private static var parents: [(folder: String, isUnified: Bool)] {
    let lines =
      (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [(folder: String, isUnified: Bool)] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let own = String(fields[2])
      if fields[1].split(separator: ",").contains("memory") {
        return [("/sys/fs/cgroup/memory\(own)", false), ("/sys/fs/cgroup/memory", false)]
      }
      guard fields[0] == "0" else { return [] }
      // A group with processes in it gives no controller to those below it, unless it is the root.
      return [own, (own as NSString).deletingLastPathComponent, "/"].map { "/sys/fs/cgroup\($0)" }.filter {
        let given = try? String(contentsOfFile: "\($0)/cgroup.subtree_control", encoding: .utf8)
        return given?.split(whereSeparator: \.isWhitespace).contains("memory") == true
      }.map { ($0, true) }
    }
  }

  var kills: Int {
    get throws {
      let name = isUnified ? "memory.events" : "memory.oom_control"
      let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix("oom_kill ") })
      return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
  }

  func remove() { rmdir(folder) }
}
