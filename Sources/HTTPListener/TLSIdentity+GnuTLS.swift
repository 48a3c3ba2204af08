internal import CGnuTLS

/// What a listener shows to whoever connects by TLS: a chain of certificates and the private key of the first.
///
/// It is never changed once it is made, so that threads may use it at once ("Read-only access to objects, for example
/// the credentials holding structures, is also thread-safe", GnuTLS manual, Thread safety); its address crosses threads.
@safe
package final class TLSIdentity: Sendable {
  /// Certificates of a chain. Public ones have two or three.
  private static let chainMaximum = 16

  private let chain: UInt
  private let count: UInt32
  private let key: UInt

  /// Reads a chain, the server's own certificate first, and its key, both in PEM form.
  package init(chainPEM: [UInt8], keyPEM: [UInt8]) throws(TLSIdentityError) {
    let chain = UnsafeMutablePointer<gnutls_pcert_st>.allocate(capacity: Self.chainMaximum)
    var count = UInt32(Self.chainMaximum)
    let read = unsafe Self.with(chainPEM) {
      unsafe gnutls_pcert_list_import_x509_raw(chain, &count, $0, GNUTLS_X509_FMT_PEM, 0)
    }
    guard read == GNUTLS_E_SUCCESS, count > 0 else {
      unsafe chain.deallocate()
      throw .certificate(GnuTLSResult.message(read))
    }
    var key: gnutls_privkey_t?
    unsafe gnutls_privkey_init(&key)
    // Without a password a sealed key is an error, and nobody is asked.
    let loaded = unsafe Self.with(keyPEM) {
      unsafe gnutls_privkey_import_x509_raw(key, $0, GNUTLS_X509_FMT_PEM, nil, 0)
    }
    self.chain = UInt(bitPattern: chain)
    self.count = count
    self.key = UInt(bitPattern: key)
    guard loaded == GNUTLS_E_SUCCESS else { throw .key(GnuTLSResult.message(loaded)) }
    guard let own = unsafe Self.identifier(of: chain.pointee.pubkey), own == keyIdentifier else {
      throw .mismatch
    }
  }

  deinit {
    let chain = unsafe chainPointer
    for index in 0..<Int(count) { unsafe gnutls_pcert_deinit(chain.map { unsafe $0 + index }) }
    unsafe chain?.deallocate()
    unsafe gnutls_privkey_deinit(keyPointer)
  }

  private var chainPointer: UnsafeMutablePointer<gnutls_pcert_st>? { unsafe .init(bitPattern: chain) }
  private var keyPointer: gnutls_privkey_t? { unsafe gnutls_privkey_t(bitPattern: key) }

  private static func with<Result>(
    _ octets: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result
  ) -> Result {
    var octets = octets
    return unsafe octets.withUnsafeMutableBufferPointer { buffer in
      var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(clamping: buffer.count))
      return unsafe body(&datum)
    }
  }

  /// A digest that is the same for a public key wherever it stands.
  private static func identifier(of key: gnutls_pubkey_t?) -> [UInt8]? {
    var octets = [UInt8](repeating: 0, count: 32)
    var count = octets.count
    let flags = GNUTLS_KEYID_USE_SHA256.rawValue
    return unsafe gnutls_pubkey_get_key_id(key, flags, &octets, &count) == GNUTLS_E_SUCCESS ? octets : nil
  }

  private var keyIdentifier: [UInt8]? {
    var half: gnutls_pubkey_t?
    unsafe gnutls_pubkey_init(&half)
    defer { unsafe gnutls_pubkey_deinit(half) }
    let result = unsafe gnutls_pubkey_import_privkey(half, keyPointer, 0, 0)
    return unsafe result == GNUTLS_E_SUCCESS ? Self.identifier(of: half) : nil
  }
}

// MARK: - What GnuTLS calls in the middle of a handshake, on the listener's thread

extension TLSIdentity {
  /// `NORMAL` narrowed to TLS 1.2 and 1.3, and in 1.2 to what RFC 9325 §4.2 recommends: a fresh key for every connection
  /// by elliptic curves, and ciphers that authenticate by themselves.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"

  /// For `MHD_OPTION_HTTPS_CERT_CALLBACK2`.
  static var callback: UnsafeMutableRawPointer {
    unsafe unsafeBitCast(retrieve, to: UnsafeMutableRawPointer.self)
  }

  private typealias Retrieve =
    @convention(c) (
      gnutls_session_t?, UnsafePointer<gnutls_cert_retr_st>?,
      UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
      UnsafeMutablePointer<UnsafeMutablePointer<gnutls_ocsp_data_st>?>?, UnsafeMutablePointer<UInt32>?,
      UnsafeMutablePointer<gnutls_privkey_t?>?, UnsafeMutablePointer<UInt32>?
    ) -> Int32

  /// Gives the identity of this connection's listener. The option comes without a context of its own, but libmicrohttpd
  /// has made the connection the session's pointer (`gnutls_session_set_ptr` in `new_connection_prepare_` of 0.9.75),
  /// and the connection knows its listener. The flags stay without `GNUTLS_CERT_RETR_DEINIT_ALL`: what is given
  /// out stays ours, and the connection holds it until it is closed, which is after its session.
  private static let retrieve: Retrieve = { session, _, chain, count, _, responses, key, _ in
    let connection = unsafe ConnectionReference(OpaquePointer(gnutls_session_get_ptr(session)))
    guard let identity = connection.context?.shownIdentity() else { return -1 }
    unsafe chain?.pointee = identity.chainPointer
    unsafe count?.pointee = identity.count
    unsafe responses?.pointee = 0
    unsafe key?.pointee = identity.keyPointer
    return 0
  }
}
