internal import Glibc

/// The service manager that has started this process, and what it is told: `sd_notify(3)`, whose protocol is one
/// datagram of lines for each message.
package struct ServiceManager: Sendable {
  /// What it can be told.
  package enum Message: Sendable {
    /// The service does its work, with a line for people on how.
    case ready(String)
    /// The configuration is read again; `ready` has to follow.
    case reloading
    /// The service ends.
    case stopping
    /// A sign of life.
    case alive
  }

  /// Where it listens: a path, or `@` and a name that is in no file system; nil where nobody does.
  private let socket: String?
  /// How often it wants a sign of life; nil for never. Half of the time after which it gives the service up.
  package let pace: Duration?

  private static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
  /// How long a message may wait for a manager that is busy: much longer than it ever is, and nothing that a reload or
  /// an end would suffer from.
  private static let patienceSeconds = 1

  /// Reads the variables. Nobody is told anything where they are missing, or name no Unix socket.
  package init(environment: [String: String], process: Int32) {
    let name = environment["NOTIFY_SOCKET"] ?? ""
    socket = (name.hasPrefix("/") || name.hasPrefix("@")) && name.utf8.count > 1 ? name : nil
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    if isForUs, let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 {
      pace = .microseconds(microseconds) / 2
    } else {
      pace = nil
    }
  }

  /// Reads the variables of this process and takes them away, so that no child of it speaks in its name.
  package static func take(from environment: [String: String]) -> ServiceManager {
    for name in variables { unsafe unsetenv(name) }
    return ServiceManager(environment: environment, process: getpid())
  }

  /// Says something; false where it could not be delivered. True where nobody listens.
  @discardableResult
  package func tell(_ message: Message) -> Bool {
    guard let socket else { return true }
    return Self.send(Self.text(of: message), to: socket)
  }

  private static func text(of message: Message) -> String {
    switch message {
    case .ready(let status):
      // A line break would begin another variable.
      "READY=1\nSTATUS=\(status.split(whereSeparator: \.isNewline).joined(separator: " "))"
    case .reloading:
      "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds())\nSTATUS=reading its settings again"
    case .stopping: "STOPPING=1\nSTATUS=ending"
    case .alive: "WATCHDOG=1"
    }
  }

  /// The clock that `Type=notify-reload` compares with.
  private static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  private static func send(_ text: String, to name: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(name.utf8)
    let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      // The abstract name space begins with NUL where the variable has `@`, and its names end with their length.
      for (offset, octet) in octets.enumerated() {
        unsafe place[offset] = offset == 0 && octet == UInt8(ascii: "@") ? 0 : octet
      }
    }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let message = Array(text.utf8)
    let sent = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe message.withUnsafeBytes { message in
          unsafe sendto(
            descriptor, message.baseAddress, message.count, Int32(MSG_NOSIGNAL), address,
            socklen_t(start + octets.count))
        }
      }
    }
    return sent == message.count
  }
}
