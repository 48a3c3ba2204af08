import Foundation
import Glibc

/// A port of loopback that answers no connection: its queue is full and nobody takes from it, so that Linux drops the
/// first packet of whoever comes.
public final class SYNDropper: Sendable {
  /// The port on 127.0.0.1, or on `::1`.
  public let port: Int
  private let listening: Int32
  private let fillers: [Int32]

  /// A port of 127.0.0.1 that is full when this returns.
  public convenience init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    try self.init(AF_INET, address)
  }

  /// The same on `::1`, at a port that is named.
  public convenience init(ipv6Port: Int) throws {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    address.sin6_port = in_port_t(ipv6Port).bigEndian
    try self.init(AF_INET6, address)
  }

  private init<Address>(_ family: Int32, _ address: Address) throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    var address = address
    var length = socklen_t(MemoryLayout<Address>.size)
    var fillers: [Int32] = []
    let isFull = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 0) == 0,
          getsockname(descriptor, address, &length) == 0
        else { return false }
        // A queue of 0 takes one or two; whoever is not connected at once afterwards was dropped.
        for _ in 0..<8 {
          let filler = socket(family, type | Int32(SOCK_NONBLOCK.rawValue), 0)
          fillers.append(filler)
          _ = connect(filler, address, length)
          var look = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
          if poll(&look, 1, 100) == 0 { return true }
        }
        return false
      }
    }
    listening = descriptor
    self.fillers = fillers
    // The port stands at the same place in both families.
    port = withUnsafeBytes(of: &address) {
      Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)))
    }
    guard isFull else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit { for descriptor in fillers + [listening] { close(descriptor) } }
}
