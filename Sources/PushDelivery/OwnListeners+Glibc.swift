internal import Glibc

extension OwnListeners {
  /// Listeners on `ports` of any address that an interface of this machine has now (`getifaddrs(3)`).
  package init(ports: Set<Int>) {
    self.init(ports: ports, addresses: Self.interfaceAddresses)
  }

  private static func interfaceAddresses() -> Set<IPAddress> {
    var list: UnsafeMutablePointer<ifaddrs>? = nil
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var found: Set<IPAddress> = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ifa_addr, let known = unsafe IPAddress(address) {
        found.insert(known)
      }
      unsafe next = entry.pointee.ifa_next
    }
    return found
  }
}
