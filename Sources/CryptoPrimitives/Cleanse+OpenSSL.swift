import COpenSSL

extension [UInt8] {
  /// Overwrites the octets with zeros in a way that no optimizer removes. Reaches the array's own buffer only
  /// while no other array shares it.
  package mutating func cleanse() {
    unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
