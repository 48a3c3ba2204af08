internal import Glibc

/// The connection that a stream goes out on; good from its attaching to its end.
struct StreamConnection: Sendable {
  private let reference: ConnectionReference
  private let descriptor: Int32
  /// Whether the content ends with the connection.
  let closesAtEnd: Bool

  init(_ reference: ConnectionReference, closesAtEnd: Bool) {
    self.reference = reference
    self.closesAtEnd = closesAtEnd
    descriptor = reference.descriptor
  }

  /// Has the system keep no more than `HTTPLimits.streamSendOctets` for a reader that does not read.
  func boundSending() {
    var octets = Int32(HTTPLimits.streamSendOctets)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &octets, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Takes the connection out of the library's loop; to be called from its callback alone.
  func suspend() { reference.suspend() }

  /// Has the connection freed soon after the callback has returned that it is to be closed.
  func expire() { reference.expire() }

  /// Puts the suspended connection back.
  func resume() { reference.resume() }

  /// Shuts the socket down; the library finds that out where the connection is not suspended.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Whether what was sent is not acknowledged, nor a question whether there is room again, though both were repeated, and
  /// nothing has come for `HTTPLimits.streamSilenceSeconds`.
  ///
  /// The system's own limit (`TCP_USER_TIMEOUT`) also gives up readers that answer, but have had no room for so long:
  /// those that read steadily and slowly. A Unix socket knows nothing of this and needs it not: both ends are on one
  /// machine.
  var isSilent: Bool {
    var known = tcp_info()
    var size = socklen_t(MemoryLayout<tcp_info>.size)
    guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &known, &size) == 0 else {
      return false
    }
    return Int(known.tcpi_retransmits) + Int(known.tcpi_probes) >= HTTPLimits.streamUnansweredMinimum
      && known.tcpi_last_ack_recv >= HTTPLimits.streamSilenceSeconds * 1_000
  }

  /// Whether the other end has closed, or the system has given it up. A suspended connection is not watched by the
  /// library. What TLS says at its end goes below it: this looks at the socket.
  var hasLeft: Bool {
    // Linux's POLLRDHUP, which Glibc shows to GNU sources only.
    let readerClosed: Int16 = 0x2000
    var watched = pollfd(fd: descriptor, events: readerClosed, revents: 0)
    guard unsafe poll(&watched, 1, 0) > 0 else { return false }
    return watched.revents & (readerClosed | Int16(POLLHUP) | Int16(POLLERR)) != 0
  }
}
