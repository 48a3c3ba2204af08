internal import HTTPClient

/// Why a `PushSender` cannot be made.
package enum PushDeliveryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file of additional certificates cannot be read.
  case caFileUnreadable(path: String)
  /// The file has no certificate in PEM form.
  case caFileWithoutCertificate(path: String)
  /// libcurl cannot be set up.
  case library(String)

  /// One line for the operator.
  package var description: String {
    switch self {
    case .caFileUnreadable(let path): "the file of certificates \(path) cannot be read"
    case .caFileWithoutCertificate(let path):
      "the file \(path) has no certificate in PEM form (-----BEGIN CERTIFICATE-----)"
    case .library(let reason): "libcurl cannot be set up: \(reason)"
    }
  }
}
