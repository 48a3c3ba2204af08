/// Why a certificate or its key cannot be used or written.
package enum CertificateFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with a file, and its path: `cannot be opened: Permission denied`.
  case file(String, fault: String)
  /// The key belongs to another certificate.
  case mismatch(CertificateFiles)
  /// There is one already.
  case exists(String)
  /// OpenSSL could not make one.
  case notMade(String)

  /// One line for the operator.
  package var description: String {
    switch self {
    case .file(let path, let fault): "\(path) \(fault)"
    case .mismatch(let files): "the key \(files.key) is not that of the certificate \(files.certificate)"
    case .exists(let path): "\(path) is there already, and phones may have pinned it; --force replaces it"
    case .notMade(let reason): "no certificate could be made: \(reason)"
    }
  }
}
