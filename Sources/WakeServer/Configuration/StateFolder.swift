internal import Glibc

/// The one folder that holds what the service keeps.
package struct StateFolder: Sendable, Equatable {
  /// Absolute.
  package let path: String

  package init(path: String) { self.path = path }

  package var databasePath: String { "\(path)/wake.sqlite" }
  package var serviceKeyPath: String { "\(path)/service.key" }
  package var adminSocketPath: String { "\(path)/admin.sock" }

  /// What `wake tls init` makes.
  package var certificateFiles: CertificateFiles {
    CertificateFiles(certificate: "\(path)/tls.crt", key: "\(path)/tls.key")
  }

  /// Whether one of these two is there.
  package var holdsCertificate: Bool {
    CertificateFile.exists(certificateFiles.certificate) || CertificateFile.exists(certificateFiles.key)
  }

  /// Makes the folder, readable by its owner alone, where it is not there yet.
  package func create() throws(ConfigurationError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if unsafe mkdir(made, Self.mode) == 0 { continue }
      let reason = errno
      if reason == EEXIST || isFolder(made) { continue }
      throw ConfigurationError(.stateFolder, "cannot be made at \(made): \(String(errno: reason))")
    }
    guard isFolder(path) else { throw ConfigurationError(.stateFolder, "is not a folder: \(path)") }
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static let mode: mode_t = 0o700
}

extension String {
  /// What the system says of an error number.
  package init(errno number: Int32) {
    self = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
