import Foundation

/// Programs of the machine that make faults, and whether they are here.
enum Tools {
  static let strace = "/usr/bin/strace"
  /// For `strace`: what it traces does not look for leaks when it ends under the address sanitizer, since that traces
  /// the process too, and only one can.
  static let withoutLeakSearch = ["-E", "LSAN_OPTIONS=detect_leaks=0"]
  static let unshare = "/usr/bin/unshare"
  static let prlimit = "/usr/bin/prlimit"

  static let noStrace: String = "SKIPPED: \(strace) is not there or may not trace"
  static let noNamespace: String =
    "SKIPPED: no file system of the test's own can be mounted here (unshare -Urm)"

  static var canTrace: Bool {
    get async {
      await succeeds(Program(path: strace, arguments: ["-D", "-f", "-e", "trace=none", "/bin/true"]))
    }
  }

  static var canMount: Bool {
    get async {
      await succeeds(
        Program(path: unshare, arguments: ["-Urm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"]))
    }
  }

  private static func succeeds(_ program: Program) async -> Bool {
    (try? await program.run().exitCode) == 0
  }
}
