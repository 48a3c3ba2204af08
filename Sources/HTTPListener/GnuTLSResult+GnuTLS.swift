internal import CGnuTLS

/// Results of GnuTLS.
enum GnuTLSResult {
  /// What the library calls a code.
  static func message(_ code: Int32) -> String {
    unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
