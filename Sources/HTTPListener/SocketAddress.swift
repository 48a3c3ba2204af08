internal import Glibc

/// An address of a socket, as the system takes and gives it.
enum SocketAddress {
  /// The numeric host and the port of an IPv4 or IPv6 address; nil for other families. An IPv4 address that came
  /// through an IPv6 socket is shown as IPv4.
  static func numeric(_ address: UnsafePointer<sockaddr>) -> (host: String, port: Int)? {
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        var octets = unsafe address.pointee.sin_addr
        let port = unsafe Int(UInt16(bigEndian: address.pointee.sin_port))
        return unsafe text(AF_INET, &octets).map { ($0, port) }
      }
    case AF_INET6:
      return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        var octets = unsafe address.pointee.sin6_addr
        let port = unsafe Int(UInt16(bigEndian: address.pointee.sin6_port))
        return unsafe text(AF_INET6, &octets).map { (unmapped($0), port) }
      }
    default: return nil
    }
  }

  private static func text(_ family: Int32, _ octets: UnsafeRawPointer) -> String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family, octets, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func unmapped(_ host: String) -> String {
    let mapped = "::ffff:"
    return host.hasPrefix(mapped) && host.contains(".") ? String(host.dropFirst(mapped.count)) : host
  }
}

extension SocketAddress {
  /// The address that a socket is bound to.
  static func local(of descriptor: Int32) throws(HTTPListenerError) -> ListenAddress {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe getsockname(descriptor, address, &size)
      }
    }
    try SystemCall.check("getsockname", result)
    if storage.ss_family == sa_family_t(AF_UNIX) { return .unix(path: unixPath(storage)) }
    let numeric = unsafe withUnsafePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Self.numeric($0) }
    }
    guard let numeric else { throw .invalidAddress("the socket is neither TCP nor Unix") }
    return .tcp(host: numeric.host, port: numeric.port)
  }

  private static func unixPath(_ storage: sockaddr_storage) -> String {
    unsafe withUnsafeBytes(of: storage) { octets in
      let path = unsafe octets.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
      return unsafe String(decoding: path, as: UTF8.self)
    }
  }
}
