internal import Glibc

/// Both ends of a connection, which no other one has while it lives.
struct ConnectionEnds: Hashable {
  let local: IPAddress
  let localPort: Int
  let remote: IPAddress
  let remotePort: Int
}

extension ConnectionEnds {
  /// Those of a socket; nil where it is not connected.
  init?(of socket: Int32) {
    guard let local = unsafe Self.end({ unsafe getsockname(socket, $0, $1) == 0 }),
      let remote = unsafe Self.end({ unsafe getpeername(socket, $0, $1) == 0 })
    else { return nil }
    self.init(local: local.address, localPort: local.port, remote: remote.address, remotePort: remote.port)
  }

  private static func end(
    _ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool
  ) -> (address: IPAddress, port: Int)? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { storage -> (address: IPAddress, port: Int)? in
      let address = unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe fill(name, &length) ? IPAddress(name) : nil
      }
      // The port stands at the same place in both families.
      let port = unsafe storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { name in
        unsafe Int(UInt16(bigEndian: name.pointee.sin_port))
      }
      return address.map { ($0, port) }
    }
  }
}
