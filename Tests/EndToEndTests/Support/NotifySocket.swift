import Foundation
import Glibc
import TestSupport

/// What systemd listens with: a socket for messages of `sd_notify(3)`.
final class NotifySocket: Sendable {
  struct Failed: Error {
    let number: Int32
  }

  /// What a service finds in `NOTIFY_SOCKET`.
  let name: String
  private let descriptor: Int32

  /// How long a message is waited for.
  private static let patienceSeconds = 60

  /// - Parameter name: a path, or `@` and a name that is in no file system.
  init(_ name: String) throws {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (offset, octet) in octets.enumerated() { place[offset] = octet }
      if octets.first == UInt8(ascii: "@") { place[0] = 0 }
    }
    let bound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + octets.count))
      }
    }
    guard bound == 0 else { throw Failed(number: errno) }
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The variables of the next message.
  func next() async throws -> [String: String] {
    let descriptor = descriptor
    return try await onOwnThread {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Failed(number: errno) }
      let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
      return lines.reduce(into: [:]) { variables, line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        variables[parts[0]] = parts.count > 1 ? parts[1] : ""
      }
    }
  }

  /// The next message that says this; what comes before it is passed over.
  func next(_ variable: String) async throws -> [String: String] {
    while true {
      let message = try await next()
      if message[variable] != nil { return message }
    }
  }
}
