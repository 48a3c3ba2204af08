import COpenSSL

/// SHA-256 over octets that come piece by piece. Owns one EVP_MD_CTX. Ends the process where OpenSSL has no SHA-256,
/// which `Algorithms.prepare` finds at start.
@safe
package struct RunningSHA256: ~Copyable {
  private let pointer: OpaquePointer

  /// A digest of nothing yet.
  package init() {
    do throws(CryptoError) {
      let algorithm = try Algorithms.sha256.get()
      unsafe pointer = try OpenSSLResult.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
      try OpenSSLResult.check(
        unsafe EVP_DigestInit_ex2(pointer, algorithm.pointer, nil), "EVP_DigestInit_ex2")
    } catch {
      preconditionFailure("SHA-256 failed: \(error)")
    }
  }

  deinit { unsafe EVP_MD_CTX_free(pointer) }

  /// Takes in the next octets.
  package mutating func update(_ octets: [UInt8]) {
    let result = unsafe EVP_DigestUpdate(pointer, octets, octets.count)
    precondition(result == 1, "SHA-256 failed in EVP_DigestUpdate")
  }

  /// The digest of all that was taken in. It is the end: to take in more is our own fault and ends the process.
  package mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: SHA256.length)
    let result = unsafe EVP_DigestFinal_ex(pointer, &digest, nil)
    precondition(result == 1, "SHA-256 failed in EVP_DigestFinal_ex")
    return digest
  }
}
