import COpenSSL
import Glibc

/// The client's side of TLS over a connected socket, which stays its owner's.
public final class TLSClient {
  /// What the client speaks.
  public enum Versions: Sendable, CaseIterable {
    case all, only12, only13, only11
  }

  /// The handshake came to nothing.
  public struct HandshakeFailed: Error {}

  private let context: OpaquePointer
  private let connection: OpaquePointer

  /// Shakes hands; takes any certificate.
  public init(over descriptor: Int32, versions: Versions = .all) throws {
    guard let context = SSL_CTX_new(TLS_client_method()), let connection = SSL_new(context) else {
      throw HandshakeFailed()
    }
    self.context = context
    self.connection = connection
    // What does not come within a test's patience does not come.
    var patience = timeval(tv_sec: Int(RawHTTPConnection.patienceMilliseconds) / 1_000, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let version: Int32? =
      switch versions {
      case .all: nil
      case .only11: TLS1_1_VERSION
      case .only12: TLS1_2_VERSION
      case .only13: TLS1_3_VERSION
      }
    if let version {
      // OpenSSL 3 speaks TLS 1.1 at security level 0 only.
      SSL_set_security_level(connection, 0)
      SSL_ctrl(connection, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
      SSL_ctrl(connection, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    }
    guard SSL_set_fd(connection, descriptor) == 1, Self.withoutSignals({ SSL_connect(connection) }) == 1
    else { throw HandshakeFailed() }
  }

  deinit {
    SSL_free(connection)
    SSL_CTX_free(context)
    ERR_clear_error()
  }

  /// Whether octets wait that `poll` does not know of.
  var hasPending: Bool { SSL_has_pending(connection) == 1 && SSL_pending(connection) > 0 }

  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = SSL_read(connection, &buffer, Int32(buffer.count))
    return count > 0 ? Array(buffer[..<Int(count)]) : nil
  }

  func write(_ octets: [UInt8]) {
    guard !octets.isEmpty else { return }
    _ = Self.withoutSignals { SSL_write(connection, octets, Int32(octets.count)) }
  }

  var peerFingerprint: String? {
    guard let certificate = SSL_get1_peer_certificate(connection) else { return nil }
    defer { X509_free(certificate) }
    var digest = [UInt8](repeating: 0, count: 32)
    guard X509_digest(certificate, EVP_sha256(), &digest, nil) == 1 else { return nil }
    return digest.map { octet in
      let text = String(octet, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }

  /// OpenSSL writes without MSG_NOSIGNAL; a peer that left must not end the tests. The thread is the test's own.
  private static func withoutSignals<Value>(_ body: () -> Value) -> Value {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return body()
  }
}
