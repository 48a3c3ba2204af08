import Glibc

/// A connected stream socket: what a `RawServer` reads and writes, with TLS or without.
public protocol RawStream: AnyObject {
  /// At least one octet and at most `count`, or nil at the end or after an error.
  func read(_ count: Int) -> [UInt8]?
  /// Whether all octets were handed over.
  func write(_ octets: [UInt8]) -> Bool
  /// Takes leave, where the protocol has words for it; the connection is closed next.
  func end()
}

/// A plain socket. The descriptor is closed by its owner.
final class SocketStream: RawStream {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  func read(_ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let got = recv(descriptor, &buffer, count, 0)
      if got > 0 { return Array(buffer[..<got]) }
      if got == 0 || errno != EINTR { return nil }
    }
  }

  func write(_ octets: [UInt8]) -> Bool {
    var sent = 0
    while sent < octets.count {
      let count = octets[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else if errno != EINTR { return false }
    }
    return true
  }

  func end() {}
}
