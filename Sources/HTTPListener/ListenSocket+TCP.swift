internal import Glibc

extension ListenSocket {
  /// Listens on the first address that the host has.
  static func tcp(host: String, port: Int) throws(HTTPListenerError) -> ListenSocket {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &found)
    guard result == 0, let first = unsafe found, let address = unsafe first.pointee.ai_addr else {
      throw .invalidAddress("the host \(host) has no address")
    }
    defer { unsafe freeaddrinfo(found) }

    let family = unsafe first.pointee.ai_family
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = try SystemCall.check("socket", socket(family, type, 0))
    do throws(HTTPListenerError) {
      // A restart need not wait for the connections of the last run to time out.
      try set(SO_REUSEADDR, at: SOL_SOCKET, to: 1, of: descriptor)
      // `[::]` takes IPv4 too, whatever the system's default is.
      if family == AF_INET6 { try set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 0, of: descriptor) }
      guard unsafe bind(descriptor, address, first.pointee.ai_addrlen) == 0 else {
        let code = errno
        if code == EADDRINUSE { throw .addressInUse(ListenAddress.tcp(host: host, port: port).description) }
        throw .system(operation: "bind", code: code)
      }
      try SystemCall.check("listen", listen(descriptor, HTTPLimits.backlog))
      let address = try SocketAddress.local(of: descriptor)
      return ListenSocket(takingOwnershipOf: descriptor, address: address)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func set(
    _ option: Int32, at level: Int32, to value: Int32, of descriptor: Int32
  ) throws(HTTPListenerError) {
    var value = value
    let size = socklen_t(MemoryLayout<Int32>.size)
    try SystemCall.check("setsockopt", unsafe setsockopt(descriptor, level, option, &value, size))
  }
}
