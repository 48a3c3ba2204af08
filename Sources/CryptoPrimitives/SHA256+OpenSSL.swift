import COpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// Octets of a digest.
  package static let length = 32

  /// The digest of `octets`. Ends the process where OpenSSL has no SHA-256, which `Algorithms.prepare` finds
  /// at start.
  package static func digest(_ octets: [UInt8]) -> [UInt8] {
    do throws(CryptoError) {
      let algorithm = try Algorithms.sha256.get()
      var digest = [UInt8](repeating: 0, count: length)
      let result = unsafe EVP_Digest(octets, octets.count, &digest, nil, algorithm.pointer, nil)
      try OpenSSLResult.check(result, "EVP_Digest")
      return digest
    } catch {
      preconditionFailure("SHA-256 failed: \(error)")
    }
  }
}
