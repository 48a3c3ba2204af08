internal import COpenSSL

/// The authorities that connections of one thread trust: the system's, and those of one more file.
///
/// libcurl by itself reads them anew for each connection where a folder or a file of one's own is named. Here they are
/// read once in a while, and all connections made meanwhile share them.
@safe
package final class TrustedAuthorities {
  /// How long what was read is used, or that nothing could be read: as long a changed file goes unnoticed.
  package static let usualLifetime = Duration.seconds(60)

  private let file: String?
  private let lifetime: Duration
  private var store: OpaquePointer?
  private var readAt: ContinuousClock.Instant?

  /// Those of the system, and of `file` (PEM) where one is named.
  package init(file: String?, lifetime: Duration = usualLifetime) {
    self.file = file
    self.lifetime = lifetime
  }

  deinit { unsafe X509_STORE_free(store) }

  /// Has `context`, an `SSL_CTX`, trust them; false where they cannot be read, and then it may not be used.
  func guardConnections(of context: UnsafeMutableRawPointer) -> Bool {
    let now = ContinuousClock.now
    if readAt.map({ now - $0 >= lifetime }) ?? true {
      unsafe X509_STORE_free(store)
      unsafe store = read()
      readAt = now
    }
    guard let store = unsafe store else { return false }
    // The context has a reference of its own, and gives it back when it is freed.
    unsafe SSL_CTX_set1_cert_store(OpaquePointer(context), store)
    return true
  }

  private func read() -> OpaquePointer? {
    let made = unsafe X509_STORE_new()
    guard let made = unsafe made else { return nil }
    // As libcurl has it: what is trusted need not be the root of its chain.
    unsafe X509_STORE_set_flags(made, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    // Without any authority every certificate is refused, and the reason says so.
    let system = CurlLibrary.systemTrust
    let hasBundle = system.bundle.map { unsafe X509_STORE_load_file(made, $0) == 1 } ?? false
    if !hasBundle, let folder = system.folder { unsafe X509_STORE_load_path(made, folder) }
    if let file, unsafe X509_STORE_load_file(made, file) != 1 {
      unsafe X509_STORE_free(made)
      return nil
    }
    return unsafe made
  }
}
