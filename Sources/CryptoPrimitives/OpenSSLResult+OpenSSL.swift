import COpenSSL

/// The one way from an OpenSSL result to a Swift error. A failed call leaves entries in the thread's error
/// queue; they are drained here, so that no later call finds them.
enum OpenSSLResult {
  /// Passes 1, OpenSSL's "done"; throws for everything else.
  @inline(__always)
  static func check(_ result: Int32, _ operation: StaticString) throws(CryptoError) {
    if result != 1 { throw failure(operation) }
  }

  /// Passes an object; throws where there is none.
  @inline(__always)
  static func check(_ pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) -> OpaquePointer
  {
    guard let pointer = unsafe pointer else { throw failure(operation) }
    return unsafe pointer
  }

  /// The error of a call that failed. The last code is kept, the rest of the queue is dropped.
  @inline(never)
  static func failure(_ operation: StaticString) -> CryptoError {
    .openSSL(operation: operation.description, code: drain())
  }

  /// Empties this thread's error queue and returns the newest code in it, 0 where it was empty.
  @discardableResult
  static func drain() -> UInt {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return code
  }
}
