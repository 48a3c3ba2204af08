import COpenSSL
import Synchronization

/// The server's side of TLS for a `RawServer`: a certificate, its key, and the versions it speaks.
public final class TLSIdentity: Sendable {
  private let context: Mutex<OpaquePointer>

  /// Reads a chain and its key (PEM); nil where they do not fit. With `onlyOldVersions` it speaks TLS 1.1 and
  /// nothing newer.
  public init?(chainFile: String, keyFile: String, onlyOldVersions: Bool = false) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { return nil }
    let ready =
      SSL_CTX_use_certificate_chain_file(context, chainFile) == 1
      && SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1
    guard ready else {
      SSL_CTX_free(context)
      return nil
    }
    if onlyOldVersions {
      // OpenSSL 3 speaks them at security level 0 only.
      SSL_CTX_set_security_level(context, 0)
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
    }
    self.context = Mutex(context)
  }

  deinit { context.withLock { SSL_CTX_free($0) } }

  /// Makes a connection one of TLS; nil where the handshake fails.
  public func wrap(_ descriptor: Int32) -> (any RawStream)? {
    let address = context.withLock { UInt(bitPattern: SSL_new($0)) }
    guard let connection = OpaquePointer(bitPattern: address) else { return nil }
    let stream = TLSStream(connection: connection)
    return SSL_set_fd(connection, descriptor) == 1 && SSL_accept(connection) == 1 ? stream : nil
  }
}

/// A connection of TLS. The descriptor is closed by its owner.
private final class TLSStream: RawStream {
  private let connection: OpaquePointer

  init(connection: OpaquePointer) { self.connection = connection }

  deinit {
    SSL_free(connection)
    ERR_clear_error()
  }

  func read(_ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = SSL_read(connection, &buffer, Int32(count))
    return got > 0 ? Array(buffer[..<Int(got)]) : nil
  }

  func write(_ octets: [UInt8]) -> Bool {
    octets.isEmpty || SSL_write(connection, octets, Int32(octets.count)) == Int32(octets.count)
  }

  func end() { SSL_shutdown(connection) }
}
