import COpenSSL

/// Owns one BIO over memory.
@safe
struct MemoryBIO: ~Copyable {
  let pointer: OpaquePointer

  /// An empty one to write to, whose memory is cleared when it is freed.
  init() throws(CryptoError) {
    unsafe pointer = try OpenSSLResult.check(BIO_new(BIO_s_secmem()), "BIO_new")
  }

  /// One that holds a copy of `octets`.
  static func holding(_ octets: [UInt8]) throws(CryptoError) -> MemoryBIO {
    guard let count = Int32(exactly: octets.count) else { throw .invalidLength }
    let memory = try MemoryBIO()
    let written = unsafe BIO_write(memory.pointer, octets, count)
    guard count == 0 || written == count else { throw OpenSSLResult.failure("BIO_write") }
    return memory
  }

  deinit { unsafe BIO_free_all(pointer) }

  /// Everything that was written.
  func octets() throws(CryptoError) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: Int(unsafe BIO_ctrl_pending(pointer)))
    let count = Int32(octets.count)
    guard unsafe BIO_read(pointer, &octets, count) == count else { throw OpenSSLResult.failure("BIO_read") }
    return octets
  }
}
