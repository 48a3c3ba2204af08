/// Where the certificate of the service and its key lie.
package struct CertificateFiles: Sendable, Equatable {
  /// The absolute path of the chain in PEM form, the service's own certificate first.
  package let certificate: String
  /// The absolute path of the private key in PEM form.
  package let key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// What tells that one of the two was written again or replaced.
  var mark: [FileMark?] { [FileMark(of: certificate), FileMark(of: key)] }
}
