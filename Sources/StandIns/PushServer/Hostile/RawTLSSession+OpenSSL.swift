internal import COpenSSL

/// The server's side of one connection. The thread of the connection owns it.
@safe
final class RawTLSSession {
  /// What came of a call.
  enum Step {
    /// So many octets went through.
    case octets(Int)
    /// Nothing yet.
    case again
    case end
  }

  private let session: OpaquePointer

  init(takingOwnershipOf session: OpaquePointer) { unsafe self.session = session }

  deinit {
    unsafe SSL_free(session)
    // The queue belongs to the thread, which may serve others.
    ERR_clear_error()
  }

  /// Goes on with the handshake.
  func handshake() -> Step { unsafe step(SSL_accept(session)) }

  /// Reads into the beginning of `buffer`.
  func read(into buffer: inout [UInt8]) -> Step {
    let count = Int32(clamping: buffer.count)
    return unsafe step(SSL_read(session, &buffer, count))
  }

  /// Writes; after `again` it must be called with the same octets.
  func write(_ octets: ArraySlice<UInt8>) -> Step {
    let written = unsafe octets.withUnsafeBytes { octets in
      unsafe SSL_write(session, octets.baseAddress, Int32(clamping: octets.count))
    }
    return step(written)
  }

  private func step(_ result: Int32) -> Step {
    if result > 0 { return .octets(Int(result)) }
    defer { ERR_clear_error() }
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .again
    default: return .end
    }
  }
}
