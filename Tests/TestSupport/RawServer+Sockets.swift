import Foundation
import Glibc

extension RawServer {
  /// Connections that may wait to be accepted.
  private static let backlog: Int32 = 512

  static func listen(ipv6: Bool, everywhere: Bool = false) throws -> (descriptor: Int32, port: Int) {
    let family = ipv6 ? AF_INET6 : AF_INET
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    // Everywhere is IPv4 too, whatever the system's default is.
    var only6: Int32 = 0
    if everywhere {
      setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only6, socklen_t(MemoryLayout.size(ofValue: only6)))
    }
    var storage = sockaddr_storage()
    var length = socklen_t(ipv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if ipv6 {
          storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            $0.pointee.sin6_family = sa_family_t(AF_INET6)
            $0.pointee.sin6_addr = everywhere ? in6addr_any : in6addr_loopback
          }
        } else {
          storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee.sin_family = sa_family_t(AF_INET)
            $0.pointee.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
          }
        }
        return bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard result else {
      let error = POSIXError(.init(rawValue: errno) ?? .EIO)
      close(descriptor)
      throw error
    }
    let port = withUnsafePointer(to: &storage) { storage in
      // The port stands at the same place in both families.
      storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: $0.pointee.sin_port))
      }
    }
    return (descriptor, port)
  }

  static func listen(unixSocket path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { throw POSIXError(.ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          && Glibc.listen(descriptor, backlog) == 0
      }
    }
    guard bound else {
      let error = POSIXError(.init(rawValue: errno) ?? .EIO)
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
