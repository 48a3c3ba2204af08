internal import Glibc

extension IPAddress {
  /// Reads dotted decimal with four parts and no leading zeros, or the text forms of RFC 4291 §2.2.
  ///
  /// `inet_pton(3)`, which knows neither hexadecimal nor octal nor short IPv4 forms, nor zones.
  package init?(parsing text: String) {
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
    var octets = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    let result = unsafe octets.withUnsafeMutableBytes {
      unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, $0.baseAddress)
    }
    guard result == 1 else { return nil }
    self.init(octets: octets)
  }

  /// The address of a socket; nil for another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      let number = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      self.init(isIPv6: false, high: 0, low: UInt64(number))
    case AF_INET6:
      let octets = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        var field = unsafe $0.pointee.sin6_addr
        return unsafe withUnsafeBytes(of: &field) { unsafe Array($0) }
      }
      self.init(octets: octets)
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
