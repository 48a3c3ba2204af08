internal import Glibc

/// A file of trusted certificates.
enum CertificateFile {
  /// A bundle of all public authorities is 220 KB; a file of ours is smaller.
  private static let lengthMaximum = 4 * 1_048_576

  /// Whether the file can be read and has a certificate in PEM form; libcurl would say so only when it connects.
  static func check(_ path: String) throws(PushDeliveryError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .caFileUnreadable(path: path) }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count < lengthMaximum {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .caFileUnreadable(path: path) }
      if count == 0 { break }
      octets += buffer[..<count]
    }
    let text = String(decoding: octets, as: UTF8.self)
    guard
      ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"].contains(where: {
        text.contains("-----BEGIN \($0)-----")
      })
    else { throw .caFileWithoutCertificate(path: path) }
  }
}
