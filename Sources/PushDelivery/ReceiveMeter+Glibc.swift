internal import Glibc

/// How many octets have come over a connection since it was looked at first, whatever became of them: libcurl tells of
/// those alone that it hands on, and eats what frames them.
struct ReceiveMeter {
  /// Where Linux counts them in `struct tcp_info`: `tcpi_bytes_received`, which glibc's own copy does not have.
  private static let place = 128
  private static let width = MemoryLayout<UInt64>.size

  private let socket: Int32
  private let before: UInt64

  /// Begins to count what comes over `socket`.
  init(socket: Int32) {
    self.socket = socket
    before = Self.received(socket)
  }

  /// Octets that came since, acknowledged by the kernel and read or not; 0 where it does not tell.
  var octets: UInt64 {
    let now = Self.received(socket)
    return now > before ? now - before : 0
  }

  private static func received(_ socket: Int32) -> UInt64 {
    var information = [UInt8](repeating: 0, count: place + width)
    var length = socklen_t(information.count)
    guard unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &information, &length) == 0,
      Int(length) == information.count
    else { return 0 }
    return unsafe information.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
  }
}
