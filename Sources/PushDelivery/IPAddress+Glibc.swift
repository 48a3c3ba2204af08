internal import Glibc

extension IPAddress {
  /// Reads dotted decimal with four parts and no leading zeros, or the text forms of RFC 4291 §2.2.
  ///
  /// `inet_pton(3)`, which knows neither hexadecimal nor octal nor short IPv4 forms, nor zones.
  package init?(parsing text: String) {
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    guard let address = unsafe text.withCString({ unsafe IPAddress(parsing: $0) }) else { return nil }
    self = address
  }

  /// Reads the same from a C string.
  init?(parsing text: UnsafePointer<CChar>) {
    var octets4 = in_addr()
    var octets6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &octets4) == 1 {
      self.init(octets4)
    } else if unsafe inet_pton(AF_INET6, text, &octets6) == 1 {
      self.init(octets6)
    } else {
      return nil
    }
  }

  private init(_ address: in_addr) {
    self.init(isIPv6: false, high: 0, low: UInt64(UInt32(bigEndian: address.s_addr)))
  }

  private init(_ address: in6_addr) {
    var address = address
    let (high, low) = unsafe withUnsafeBytes(of: &address) {
      unsafe ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(isIPv6: true, high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// The address of a socket; nil for another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      self.init(
        unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee.sin_addr })
    case AF_INET6:
      unsafe self.init(
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { unsafe $0.pointee.sin6_addr })
    default: return nil
    }
  }

  /// The canonical text, as `inet_ntop(3)` writes it.
  var canonicalText: String {
    var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let octets = octets
    unsafe text.withUnsafeMutableBytes { text in
      unsafe octets.withUnsafeBytes { octets in
        let place = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        _ = unsafe inet_ntop(
          isIPv6 ? AF_INET6 : AF_INET, octets.baseAddress, place, socklen_t(text.count))
      }
    }
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
