internal import Glibc

/// One connection of a server that works by hand. It blocks the thread that owns it, for as long as it may last at most.
struct RawConnection: ~Copyable {
  /// POLLRDHUP of <poll.h>, which Swift's module of the C library leaves out: the other side sends no more.
  private static let leaves: Int16 = 0x2000

  private let descriptor: Int32
  /// Nil where it is a connection without TLS.
  private let tls: RawTLSSession?
  /// When it ends at the latest.
  private let end: ContinuousClock.Instant

  /// A connection that lasts for `lifeSeconds` at most. Its descriptor is closed by whoever made it.
  init(descriptor: Int32, tls: RawTLSSession? = nil, lifeSeconds: Int) {
    self.descriptor = descriptor
    self.tls = tls
    end = .now + .seconds(lifeSeconds)
    // A call returns after a second at the latest, so that the end is noticed.
    var second = timeval(tv_sec: 1, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &second, size)
    }
  }

  private var isOver: Bool { ContinuousClock.now >= end }

  /// Whether TLS is there, where it is asked for.
  func shakesHands() -> Bool {
    while let tls, !isOver {
      switch tls.handshake() {
      case .octets: return true
      case .again: continue
      case .end: return false
      }
    }
    return tls == nil
  }

  /// One octet at least and `maximum` at most; nil at the end, whoever made it.
  func read(_ maximum: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: maximum)
    while !isOver {
      switch tls?.read(into: &buffer) ?? Self.step(unsafe recv(descriptor, &buffer, maximum, 0)) {
      case .octets(let count): return Array(buffer[..<count])
      case .again: continue
      case .end: return nil
      }
    }
    return nil
  }

  /// Whether all octets were handed over.
  @discardableResult
  func send(_ octets: [UInt8]) -> Bool {
    var rest = octets[...]
    while !rest.isEmpty {
      guard !isOver else { return false }
      switch tls?.write(rest) ?? plain(rest) {
      case .octets(let count): rest = rest.dropFirst(count)
      case .again: continue
      case .end: return false
      }
    }
    return true
  }

  private func plain(_ octets: ArraySlice<UInt8>) -> RawTLSSession.Step {
    unsafe octets.withUnsafeBytes {
      Self.step(unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)))
    }
  }

  private static func step(_ count: Int) -> RawTLSSession.Step {
    if count > 0 { return .octets(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .again : .end
  }

  /// The same for text as it stands.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Waits until the other side has left, or the time is over; what comes meanwhile is thrown away.
  func waitForTheEnd() { while read(4_096) != nil {} }

  /// Waits for a time; false where the other side has left meanwhile.
  func stays(for milliseconds: Int32) -> Bool {
    var look = pollfd(fd: descriptor, events: Self.leaves, revents: 0)
    return unsafe poll(&look, 1, milliseconds) == 0 && !isOver
  }

  /// Closing it will reset it: the other side sees ECONNRESET.
  func resetsAtTheEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout.size(ofValue: linger))
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
  }
}
