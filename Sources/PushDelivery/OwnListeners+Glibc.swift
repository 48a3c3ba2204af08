internal import Glibc

extension OwnListeners {
  /// Listeners at `places`, on this machine.
  package init(_ places: [Place]) { self.init(places, isOurs: Self.isOfThisMachine) }

  /// Whether `address` is loopback, or one that an interface has now (`getifaddrs(3)`).
  private static func isOfThisMachine(_ address: IPAddress) -> Bool {
    // All of 127.0.0.0/8 is this machine, whatever addresses the loopback interface shows.
    if !address.isIPv6, address.low >> 24 == 127 { return true }
    var list: UnsafeMutablePointer<ifaddrs>? = nil
    guard unsafe getifaddrs(&list) == 0 else { return true }
    defer { unsafe freeifaddrs(list) }
    var next = unsafe list
    while let entry = unsafe next {
      if let own = unsafe entry.pointee.ifa_addr, unsafe IPAddress(own) == address { return true }
      unsafe next = entry.pointee.ifa_next
    }
    return false
  }
}
