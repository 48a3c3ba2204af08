package import CryptoPrimitives
internal import HTTPListener

extension Configuration {
  /// The files of the service's certificate: those that are named, or those that `wake tls init` made; nil where the
  /// service speaks plain HTTP.
  ///
  /// - Parameter isUseful: whether a listener can show it: a Unix socket does not.
  static func tls(
    _ sources: ConfigurationSources, isUseful: Bool, folder: StateFolder,
    absolute: (String) -> String
  ) throws(ConfigurationError) -> CertificateFiles? {
    switch (sources.value(.tlsCertificateFile), sources.value(.tlsKeyFile)) {
    case (let certificate?, let key?):
      guard isUseful else {
        throw ConfigurationError(
          .tlsCertificateFile,
          "is not for a Unix socket: leave it to the proxy in front, or listen on HOST:PORT")
      }
      return CertificateFiles(certificate: absolute(certificate), key: absolute(key))
    case (_?, nil): throw ConfigurationError(.tlsCertificateFile, "needs a key: set WAKE_TLS_KEY_FILE too")
    case (nil, _?): throw ConfigurationError(.tlsKeyFile, "needs a certificate: set WAKE_TLS_CERT_FILE too")
    // One of the two is enough: that the other is missing is found when they are read, not passed over.
    case (nil, nil): return isUseful && folder.holdsCertificate ? folder.certificateFiles : nil
    }
  }

  /// The address of the admin listener on TCP.
  static func adminAddress(_ text: String) throws(ConfigurationError) -> ListenAddress {
    guard let address = try? ListenAddress(parsing: text), case .tcp = address else {
      throw ConfigurationError(
        .adminListen, "must be HOST:PORT or [IPV6]:PORT; admin.sock in the state folder is always there")
    }
    return address
  }

  /// Whether the certificate's files were named, rather than found in the state folder.
  package var namesCertificate: Bool { tls.map { $0 != stateFolder.certificateFiles } ?? false }

  /// Whether phones are told https although nobody is known to speak it.
  var expectsTLSElsewhere: Bool {
    tls == nil && !listen.isUnix && trustedProxies.isEmpty && publicURL?.hasPrefix("https://") == true
  }

  /// The certificate that the service shows; nil where it speaks plain HTTP.
  package func certificate() throws(CertificateFileError) -> Certificate? {
    guard let tls else { return nil }
    do throws(CertificateFileError) {
      return try ServerCertificate(reading: tls).certificate
    } catch .mismatch(let files) {
      throw .mismatch(files)
    } catch {
      // Who may not read the key is told of the certificate all the same; one without a key is of no use.
      guard CertificateFile.exists(tls.key) else { throw error }
      return try ServerCertificate.certificate(of: tls)
    }
  }

  /// What a phone is to pin: the fingerprint of the service's own certificate where it is signed by itself; nil for one
  /// of an authority, which is renewed every few weeks, so that a pin would cut phones off.
  package func pinnedFingerprint() throws(CertificateFileError) -> String? {
    // Where a proxy stands in front, phones are shown the proxy's.
    guard trustedProxies.isEmpty, !listen.isUnix, publicURL?.hasPrefix("http://") != true,
      let certificate = try certificate()
    else { return nil }
    return certificate.isSelfSigned ? certificate.fingerprint : nil
  }
}
