package import CryptoPrimitives
package import HTTPListener

/// A certificate that was read together with its key: what listeners show, and what people are told of it.
package struct ServerCertificate: Sendable {
  /// For the listeners.
  package let identity: TLSIdentity
  /// The service's own certificate.
  package let certificate: Certificate

  /// Reads both files and checks that they are whole and belong together.
  package init(reading files: CertificateFiles) throws(CertificateFileError) {
    let chain = try CertificateFile.read(files.certificate, isSecret: false)
    certificate = try Self.certificate(in: chain, at: files)
    let key = SecretOctets(try CertificateFile.read(files.key, isSecret: true))
    do throws(TLSIdentityError) {
      identity = try TLSIdentity(chainPEM: chain, keyPEM: key.octets)
    } catch {
      switch error {
      case .certificate(let reason): throw .file(files.certificate, fault: "cannot be used: \(reason)")
      case .key(let reason): throw .file(files.key, fault: "is not a private key in PEM form: \(reason)")
      case .mismatch: throw .mismatch(files)
      }
    }
  }

  /// The certificate alone, for who may not read the key.
  static func certificate(of files: CertificateFiles) throws(CertificateFileError) -> Certificate {
    try certificate(in: CertificateFile.read(files.certificate, isSecret: false), at: files)
  }

  private static func certificate(in chain: [UInt8], at files: CertificateFiles)
    throws(CertificateFileError) -> Certificate
  {
    do { return try Certificate(firstOf: chain) } catch {
      throw .file(files.certificate, fault: "holds no certificate in PEM form")
    }
  }
}
