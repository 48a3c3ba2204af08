import COpenSSL

/// scrypt (RFC 7914): a key from a passphrase, at a price in memory that whoever guesses has to pay each time.
package enum Scrypt {
  /// What one key costs: `cost` is a power of two (N), `blockSize` r, `parallelization` p.
  package struct Parameters: Sendable, Equatable {
    package let cost: Int64
    package let blockSize: Int64
    package let parallelization: Int64

    /// All members; nil where they are none of scrypt's, or ask for more than `memoryMaximum` or too much time.
    package init?(cost: Int64, blockSize: Int64, parallelization: Int64) {
      guard cost > 1, cost & (cost - 1) == 0, (1...Self.blockSizeMaximum).contains(blockSize),
        (1...Self.parallelizationMaximum).contains(parallelization)
      else { return nil }
      // 128 · r octets for each of N blocks (RFC 7914 §5).
      let (memory, isTooLarge) = cost.multipliedReportingOverflow(by: 128 * blockSize)
      guard !isTooLarge, memory <= Scrypt.memoryMaximum else { return nil }
      self.cost = cost
      self.blockSize = blockSize
      self.parallelization = parallelization
    }

    private init(_ cost: Int64, _ blockSize: Int64, _ parallelization: Int64) {
      self.cost = cost
      self.blockSize = blockSize
      self.parallelization = parallelization
    }

    /// 128 MiB and about half a second: what a small home server can spare once in a while.
    package static let recommended = Parameters(131_072, 8, 1)
    /// The r of RFC 7914 is 8; beyond four times that nobody goes.
    private static let blockSizeMaximum: Int64 = 32
    /// Passes over the memory, one after the other: a bound on time.
    private static let parallelizationMaximum: Int64 = 16
  }

  /// The most memory that a file from elsewhere can have us take: four times what we ask for ourselves.
  package static let memoryMaximum: Int64 = 512 * 1_024 * 1_024

  /// `length` octets. Empty passphrases are for whoever calls to refuse.
  package static func deriveKey(
    passphrase: SecretOctets, salt: [UInt8], parameters: Parameters, length: Int
  ) throws(CryptoError) -> SecretOctets {
    var key = [UInt8](repeating: 0, count: length)
    defer { key.cleanse() }
    // OpenSSL counts p blocks and some scratch on top of the N blocks; its own default limit is 32 MiB.
    let limit = UInt64(memoryMaximum) + UInt64(128 * parameters.blockSize * (parameters.parallelization + 2))
    let result = passphrase.withOctets { passphrase in
      // "If pass is NULL, only the parameters are checked": empty text has an address too.
      let text = passphrase.isEmpty ? [0] : passphrase
      return unsafe text.withUnsafeBytes { text in
        unsafe EVP_PBE_scrypt(
          text.baseAddress?.assumingMemoryBound(to: CChar.self), passphrase.count, salt, salt.count,
          UInt64(parameters.cost), UInt64(parameters.blockSize), UInt64(parameters.parallelization), limit,
          &key, key.count)
      }
    }
    try OpenSSLResult.check(result, "EVP_PBE_scrypt")
    return SecretOctets(key)
  }
}
