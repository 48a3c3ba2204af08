import CryptoPrimitives
import Foundation
import HTTPListener
import StandIns
import WakeServer

/// The certificate of `wake pushserver`, for either of its servers.
struct PushServerCertificate {
  /// The file that clients are to trust.
  let path: String
  /// For the server on the HTTP library.
  let identity: TLSIdentity
  /// For the server on bare sockets.
  let forBareSockets: RawTLSIdentity

  private static let day: Int64 = 86_400

  /// Reads files, which are checked as those of the service are.
  init(reading files: CertificateFiles) throws(CommandError) {
    do throws(CertificateFileError) { identity = try ServerCertificate(reading: files).identity } catch {
      throw .failed("\(error)")
    }
    let read = [files.certificate, files.key].compactMap { FileManager.default.contents(atPath: $0) }
    guard read.count == 2, let bare = RawTLSIdentity(chainPEM: Array(read[0]), keyPEM: Array(read[1])) else {
      throw .failed("\(files.certificate) and \(files.key) cannot be used by OpenSSL")
    }
    forBareSockets = bare
    path = files.certificate
  }

  /// Makes a key, which stays in memory, and a certificate for this machine and the host that is listened at: from a day
  /// before, for clocks that are behind, to a year ahead, which no run of tests outlives.
  init(makingFor host: String, at path: String, nowMilliseconds: Int64) throws(CommandError) {
    let now = nowMilliseconds / 1_000
    let hosts = CertificateHost.local + [CertificateHost(parsing: host)].compactMap(\.self)
    let distinct: [CertificateHost] = hosts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let pair: SelfSignedCertificate
    do throws(any Error) {
      try Algorithms.prepare()
      pair = try SelfSignedCertificate(
        hosts: distinct, validSeconds: now - Self.day...now + 365 * Self.day, random: .system)
      identity = try TLSIdentity(chainPEM: pair.certificatePEM, keyPEM: pair.keyPEM.octets)
    } catch { throw .failed("no certificate could be made: \(error)") }
    guard let bare = RawTLSIdentity(chainPEM: pair.certificatePEM, keyPEM: pair.keyPEM.octets) else {
      throw .failed("OpenSSL does not take the certificate that it made")
    }
    forBareSockets = bare
    self.path = path
    do { try Data(pair.certificatePEM).write(to: URL(fileURLWithPath: path)) } catch {
      throw .failed("\(path) cannot be written")
    }
  }
}
