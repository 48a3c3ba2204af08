import COpenSSL

/// HMAC with SHA-256 (RFC 2104) by hand, for many short messages one after the other: two digests over one context
/// that is made once. OpenSSL's own HMAC makes and copies three contexts for each key. One thread at a time has it.
@safe
package struct HMACWorkspace: ~Copyable {
  /// B of RFC 2104 §2, and the longest key that is taken: what is derived here has 16 or 32 octets.
  package static let keyLengthMaximum = 64

  private let digest: DigestHandle
  private var pad = [UInt8](repeating: 0, count: keyLengthMaximum)
  private var inner = [UInt8](repeating: 0, count: SHA256.length)

  /// Makes what `authenticate` uses.
  package init() throws(CryptoError) {
    let digest = try DigestHandle()
    let algorithm = try Algorithms.sha256.get()
    try OpenSSLResult.check(
      unsafe EVP_DigestInit_ex2(digest.pointer, algorithm.pointer, nil), "EVP_DigestInit_ex2")
    self.digest = digest
  }

  /// The tag of `message` under `key`, into the first 32 octets of `tag`, which has no fewer. A key of more than 64
  /// octets throws `invalidLength`.
  package mutating func authenticate(
    _ message: [UInt8], key: [UInt8], into tag: inout [UInt8]
  ) throws(CryptoError) {
    guard key.count <= Self.keyLengthMaximum, tag.count >= SHA256.length else { throw .invalidLength }
    for index in pad.indices { pad[index] = Self.innerPad }
    for index in key.indices { pad[index] ^= key[index] }
    try digest.hash(pad, message, into: &inner)
    for index in pad.indices { pad[index] ^= Self.innerPad ^ Self.outerPad }
    try digest.hash(pad, inner, into: &tag)
  }

  /// Overwrites what was made of the last key. The digest's context holds the state after its last block alone.
  package mutating func cleanse() {
    pad.cleanse()
    inner.cleanse()
  }

  /// ipad and opad of RFC 2104 §2.
  private static var innerPad: UInt8 { 0x36 }
  private static var outerPad: UInt8 { 0x5c }
}
