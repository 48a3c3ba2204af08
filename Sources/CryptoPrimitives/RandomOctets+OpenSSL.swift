import COpenSSL

extension RandomOctets {
  /// OpenSSL's generator; where that cannot be seeded, the kernel's.
  package static let system = RandomOctets { count in
    var octets = [UInt8](repeating: 0, count: count)
    if let length = Int32(exactly: count), unsafe RAND_bytes(&octets, length) == 1 { return octets }
    OpenSSLResult.drain()
    var kernel = SystemRandomNumberGenerator()
    for index in octets.indices { octets[index] = kernel.next() }
    return octets
  }
}
