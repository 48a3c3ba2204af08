import COpenSSL
import Foundation
import Synchronization

/// What no sender on these libraries can beat where every push server is another: TLS handshakes and nothing else, on
/// all cores.
struct HandshakeLimit {
  struct Failed: Error {}

  private final class Done: Sendable {
    let count = Atomic(0)
  }

  /// The certificates that are trusted.
  let caFile: String
  let ports: ClosedRange<Int>

  /// Handshakes with each port once; how many in a second.
  func run() throws -> Double {
    guard let context = SSL_CTX_new(TLS_client_method()),
      SSL_CTX_load_verify_locations(context, caFile, nil) == 1
    else { throw Failed() }
    defer { SSL_CTX_free(context) }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    let (cores, ended, done) = (ProcessInfo.processInfo.activeProcessorCount, DispatchGroup(), Done())
    let (address, ports) = (UInt(bitPattern: context), ports)
    let start = ContinuousClock.now
    for core in 0..<cores {
      ended.enter()
      Thread {
        for port in stride(from: ports.lowerBound + core, through: ports.upperBound, by: cores)
        where Self.shakeHands(OpaquePointer(bitPattern: address), port: port) {
          done.count.wrappingAdd(1, ordering: .relaxed)
        }
        ended.leave()
      }.start()
    }
    ended.wait()
    guard done.count.load(ordering: .relaxed) == ports.count else { throw Failed() }
    return Double(ports.count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  private static func shakeHands(_ context: OpaquePointer?, port: Int) -> Bool {
    let socket = LoopbackAddress.connect(port: port)
    defer { close(socket) }
    guard socket >= 0, let session = SSL_new(context) else { return false }
    defer { SSL_free(session) }
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), "127.0.0.1") == 1
      && SSL_set_fd(session, socket) == 1 && SSL_connect(session) == 1
      && SSL_get_verify_result(session) == X509_V_OK
  }
}
