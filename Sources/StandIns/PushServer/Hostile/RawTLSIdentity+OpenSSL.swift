internal import COpenSSL

/// What a server on bare sockets shows by TLS 1.2 and 1.3: a chain of certificates, and the key of the first.
///
/// It is not changed once it is made, and OpenSSL counts its users under a lock, so that threads may share it; its
/// address crosses them.
@safe
package final class RawTLSIdentity: Sendable {
  private let context: UInt

  /// Reads a chain, the server's own certificate first, and its key, both in PEM form; nil where they are none, or do not
  /// belong together.
  package init?(chainPEM: [UInt8], keyPEM: [UInt8]) {
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return nil }
    self.context = UInt(bitPattern: context)
    let isWhole =
      unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
      && Self.load(chainPEM, into: context) && Self.load(key: keyPEM, into: context)
      && SSL_CTX_check_private_key(context) == 1
    // What OpenSSL has to say about the input is nobody else's error.
    ERR_clear_error()
    guard isWhole else { return nil }
  }

  deinit { unsafe SSL_CTX_free(OpaquePointer(bitPattern: context)) }

  /// The server's side of a connection; nil where there is no memory.
  func session(on descriptor: Int32) -> RawTLSSession? {
    guard let session = unsafe SSL_new(OpaquePointer(bitPattern: context)) else { return nil }
    unsafe SSL_set_fd(session, descriptor)
    return unsafe RawTLSSession(takingOwnershipOf: session)
  }

  private static func load(_ chainPEM: [UInt8], into context: OpaquePointer) -> Bool {
    unsafe withMemory(chainPEM) { memory in
      guard let own = unsafe PEM_read_bio_X509(memory, nil, nil, nil) else { return false }
      // "X509_free() should be called by the application": it is counted, not taken.
      defer { unsafe X509_free(own) }
      guard unsafe SSL_CTX_use_certificate(context, own) == 1 else { return false }
      while let next = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
        // "The x509 certificate provided to SSL_CTX_add_extra_chain_cert() will be freed by the library".
        let added = unsafe SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(next))
        guard added == 1 else {
          unsafe X509_free(next)
          return false
        }
      }
      return true
    }
  }

  private static func load(key keyPEM: [UInt8], into context: OpaquePointer) -> Bool {
    unsafe withMemory(keyPEM) { memory in
      guard let key = unsafe PEM_read_bio_PrivateKey(memory, nil, nil, nil) else { return false }
      defer { unsafe EVP_PKEY_free(key) }
      return unsafe SSL_CTX_use_PrivateKey(context, key) == 1
    }
  }

  private static func withMemory(_ octets: [UInt8], _ body: (OpaquePointer) -> Bool) -> Bool {
    unsafe octets.withUnsafeBytes { octets in
      guard let memory = unsafe BIO_new_mem_buf(octets.baseAddress, Int32(clamping: octets.count)) else {
        return false
      }
      defer { unsafe BIO_free(memory) }
      return unsafe body(memory)
    }
  }
}
