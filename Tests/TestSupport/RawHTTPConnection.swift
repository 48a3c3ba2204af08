import Foundation
import Glibc

/// A connection over which raw octets go, so that tests can send what no HTTP client would.
///
/// Its calls block: use it inside `onOwnThread`.
public final class RawHTTPConnection {
  private var descriptor: Int32
  private var secure: TLSClient?
  private var received: [UInt8] = []
  private var isAtEnd = false

  /// A test does not wait longer than this for anything.
  public static let patienceMilliseconds: Int32 = 20_000

  /// Connects to a literal IPv4 or IPv6 address.
  public init(host: String, port: Int) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
      throw RawHTTPError.system("getaddrinfo", 0)
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
      throw failure("connect")
    }
    // What is sent right after a handshake goes out without waiting for an acknowledgement.
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Connects to a Unix socket.
  public init(unixPath: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (offset, octet) in unixPath.utf8.prefix(place.count - 1).enumerated() { place[offset] = octet }
    }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw failure("connect") }
  }

  deinit { close() }

  /// Goes on by TLS, whatever certificate the peer shows.
  public func secure(versions: TLSClient.Versions = .all) throws {
    secure = try TLSClient(over: descriptor, versions: versions)
  }

  /// SHA-256 of the certificate that the peer has shown, in hexadecimal; nil without TLS.
  public var peerFingerprint: String? { secure?.peerFingerprint }

  private func failure(_ operation: String) -> RawHTTPError {
    let code = errno
    close()
    return .system(operation, code)
  }

  /// Sends octets. A peer that has closed meanwhile is no error: its answer may still be there to read.
  public func send(_ octets: [UInt8]) {
    if let secure { return secure.write(octets) }
    var rest = octets[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends a text as UTF-8.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// The next answer, interim ones (1xx) included; nil where the peer has closed. `toHead`: the request was a HEAD.
  public func answer(toHead: Bool = false) throws -> RawHTTPAnswer? {
    while true {
      if let answer = try RawHTTPAnswer.take(from: &received, toHead: toHead, isEnd: isAtEnd) {
        return answer
      }
      if isAtEnd { return nil }
      try receive()
    }
  }

  /// All answers until the peer closes.
  public func answersToEnd() throws -> [RawHTTPAnswer] {
    var answers: [RawHTTPAnswer] = []
    while let answer = try answer() { answers.append(answer) }
    return answers
  }

  /// Sends one request and returns the final answer to it.
  public func exchange(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
  ) throws -> RawHTTPAnswer? {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    send(Array((head + "\r\n").utf8) + (body ?? []))
    while let answer = try answer(toHead: method == "HEAD") { if answer.status >= 200 { return answer } }
    return nil
  }

  /// The octets up to `marker`, with it, as they came over the wire; nil where the peer closes before.
  public func text(through marker: String) throws -> String? {
    while true {
      if let found = received.firstRange(of: Array(marker.utf8)) {
        defer { received.removeFirst(found.upperBound) }
        return String(decoding: received[..<found.upperBound], as: UTF8.self)
      }
      if isAtEnd { return nil }
      try receive()
    }
  }

  /// All octets until the peer closes, as they came over the wire.
  public func octetsToEnd() throws -> [UInt8] {
    while !isAtEnd { try receive() }
    defer { received = [] }
    return received
  }

  /// Whether the peer closes the connection before it sends anything more; false also where nothing happens in time.
  public func isClosedByPeer(withinMilliseconds patience: Int32 = patienceMilliseconds) throws -> Bool {
    if received.isEmpty, !isAtEnd {
      do { try receive(withinMilliseconds: patience) } catch RawHTTPError.timedOut { return false }
    }
    return received.isEmpty && isAtEnd
  }

  /// Says that nothing more will be sent.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection with a reset where `isReset`.
  public func close(isReset: Bool = false) {
    guard descriptor >= 0 else { return }
    secure = nil
    if isReset {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// At most `count` octets, as they came over the wire, without TLS; none where the peer has closed.
  ///
  /// For a reader that takes its time: nothing more is taken from the system.
  public func octets(atMost count: Int) throws -> [UInt8] {
    if received.isEmpty, !isAtEnd {
      guard isReadable(withinMilliseconds: Self.patienceMilliseconds) else { throw RawHTTPError.timedOut }
      receiveOnce(count)
    }
    defer { received.removeFirst(min(count, received.count)) }
    return Array(received.prefix(count))
  }

  private func receive(withinMilliseconds patience: Int32 = patienceMilliseconds) throws {
    guard isReadable(withinMilliseconds: patience) else { throw RawHTTPError.timedOut }
    let before = received.count
    // All that is there, so that a thousand small records are looked at once and not a thousand times: a reader that
    // falls behind for long is cut off.
    repeat {
      receiveOnce(65_536)
    } while !isAtEnd && received.count - before < 1_048_576
      && isReadable(withinMilliseconds: 0)
  }

  private func isReadable(withinMilliseconds patience: Int32) -> Bool {
    if secure?.hasPending == true { return true }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A signal that comes meanwhile, such as the timer of a fuzzer, begins the wait anew.
    while true {
      let ready = poll(&waiting, 1, patience)
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }

  private func receiveOnce(_ maximum: Int) {
    if let secure {
      if let octets = secure.read() { received += octets } else { isAtEnd = true }
      return
    }
    var buffer = [UInt8](repeating: 0, count: maximum)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    // A reset ends the connection too: what came before it has been read.
    if count > 0 { received += buffer[..<count] } else { isAtEnd = true }
  }
}
