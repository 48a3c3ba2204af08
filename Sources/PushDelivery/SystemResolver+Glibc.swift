internal import Glibc

/// The machine's own name resolution, `getaddrinfo(3)`.
package enum SystemResolver {
  /// All addresses of `name` in the order of RFC 6724. Blocks, possibly for half a minute.
  package static func resolve(_ name: String) throws(NameResolutionError) -> [IPAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    // A family that the machine has no address of is not asked for. Local names come from files and from the
    // local network, where loopback alone is enough.
    unsafe hints.ai_flags = SpecialUseNames.isLocal(name) ? 0 : AI_ADDRCONFIG

    var list: UnsafeMutablePointer<addrinfo>? = nil
    let result = unsafe getaddrinfo(name, nil, &hints, &list)
    guard result == 0 else { throw error(result) }
    defer { unsafe freeaddrinfo(list) }

    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let socketAddress = unsafe entry.pointee.ai_addr, let address = unsafe IPAddress(socketAddress),
        !addresses.contains(address)
      {
        addresses.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    guard !addresses.isEmpty else { throw .noSuchName }
    return addresses
  }

  private static func error(_ code: Int32) -> NameResolutionError {
    switch code {
    case EAI_NONAME: .noSuchName
    case EAI_AGAIN: .noAnswer
    // EAI_NODATA and EAI_ADDRFAMILY, which Glibc declares for GNU sources only: a name without an address.
    case -5, -9: .noSuchName
    default: .failed
    }
  }
}
