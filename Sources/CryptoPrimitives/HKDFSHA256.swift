/// HKDF with SHA-256 (RFC 5869).
package enum HKDFSHA256 {
  /// The longest output: 255 blocks of one digest each (RFC 5869 §2.3).
  package static let lengthMaximum = 255 * HMACSHA256.length

  /// The pseudorandom key of 32 octets (RFC 5869 §2.2). An empty salt stands for 32 zeros.
  package static func extract(salt: [UInt8], inputKeyMaterial: [UInt8]) -> [UInt8] {
    HMACSHA256.authenticate(inputKeyMaterial, key: salt)
  }

  /// `length` octets of output (RFC 5869 §2.3). Throws `invalidLength` beyond `lengthMaximum`.
  package static func expand(
    pseudorandomKey: [UInt8], info: [UInt8], length: Int
  ) throws(CryptoError) -> [UInt8] {
    guard (0...lengthMaximum).contains(length) else { throw .invalidLength }
    var output: [UInt8] = []
    output.reserveCapacity(length + HMACSHA256.length)
    var block: [UInt8] = []
    defer { block.cleanse() }
    var counter: UInt8 = 0
    while output.count < length {
      counter += 1
      block = HMACSHA256.authenticate(block + info + [counter], key: pseudorandomKey)
      output += block
    }
    output.removeLast(output.count - length)
    return output
  }
}
