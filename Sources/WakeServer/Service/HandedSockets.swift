internal import Glibc

/// The sockets that a service manager has handed over (`sd_listen_fds(3)`).
package struct HandedSockets: Sendable, Equatable {
  /// A descriptor, and what its unit calls it.
  package struct Socket: Sendable, Equatable {
    package let name: String
    package let descriptor: Int32
  }

  package let sockets: [Socket]

  /// The first descriptor that is handed over: `SD_LISTEN_FDS_START`.
  private static let start: Int32 = 3
  /// More than any unit hands over; a number above it is noise.
  private static let countMaximum: Int32 = 1_024
  private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// Reads the variables. None are handed over where they are for another process, or are not what systemd writes.
  package init(environment: [String: String], process: Int32) {
    guard let pid = environment["LISTEN_PID"].flatMap({ Int32($0) }), pid == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...Self.countMaximum).contains(count)
    else {
      sockets = []
      return
    }
    let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    sockets = (0..<Int(count)).map { index in
      Socket(
        name: names.indices.contains(index) ? String(names[index]) : "unknown",
        descriptor: Self.start + Int32(index))
    }
  }

  /// Reads the variables of this process and takes them away, so that none of its children takes a descriptor for
  /// its own; nor does one inherit the sockets themselves. To be called before anything else is started.
  package static func take(from environment: [String: String]) -> HandedSockets {
    for name in variables { unsafe unsetenv(name) }
    let handed = HandedSockets(environment: environment, process: getpid())
    for socket in handed.sockets {
      let flags = fcntl(socket.descriptor, F_GETFD)
      if flags >= 0 { _ = fcntl(socket.descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
    return handed
  }
}
