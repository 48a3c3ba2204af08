import COpenSSL

/// Comparison that takes the same time wherever the difference is.
package enum ConstantTime {
  /// Whether both are the same octets. Different lengths are told apart at once: they are no secret.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
