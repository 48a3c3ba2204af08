import CryptoPrimitives
import Foundation

/// A folder for one run, with a certificate for 127.0.0.1 that nobody signed but itself, and its key.
final class TLSFolder {
  let url: URL
  var certificate: URL { url.appendingPathComponent("certificate.pem") }
  var key: URL { url.appendingPathComponent("key.pem") }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "wake-sink-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let now = Int64(Date().timeIntervalSince1970)
    let made = try SelfSignedCertificate(
      hosts: [.address([127, 0, 0, 1])], validSeconds: now - 3_600...now + 86_400, random: .system)
    try Data(made.certificatePEM).write(to: certificate)
    try Data(made.keyPEM.octets).write(to: key)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A port of loopback that nobody listens on now.
  static func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard bound else { throw ServiceProcess.Failed(description: "no port is free") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
