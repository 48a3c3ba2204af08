import Foundation
import Glibc
import Testing

/// Runs commands with less than this user may do.
enum Restriction {
  private static let setpriv = "/usr/bin/setpriv"
  private static let unshare = "/usr/bin/unshare"

  /// Whether this machine lets us do so.
  static func isHere() async -> Bool {
    let trial = Program(path: unshare, arguments: ["--mount", "--uts"] + byModes + ["/bin/true"])
    guard geteuid() == 0, let ended = try? await trial.run() else { return false }
    return ended.exitCode == 0
  }

  static let absent: Comment = "SKIPPED: this needs root, setpriv and unshare"

  /// What runs a command that is kept out of files by their modes, as everybody but root is.
  static let byModes = [setpriv, "--bounding-set=-dac_override,-dac_read_search"]

  /// What runs a command that finds `folder` on a file system that takes no change.
  static func readOnly(_ folder: String) -> [String] {
    let mounting =
      "mount --bind '\(folder)' '\(folder)' && mount -o remount,bind,ro '\(folder)' && exec \"$@\""
    return [unshare, "--mount", "/bin/sh", "-c", mounting, "sh"]
  }

  /// What runs a command on a host of this name.
  static func host(_ name: String) -> [String] {
    [
      unshare, "--uts", "/bin/sh", "-c",
      "echo '\(name)' >/proc/sys/kernel/hostname && exec \"$@\"", "sh",
    ]
  }
}
