import Foundation
import Glibc
import Synchronization

/// A server for tests that records every octet of every request and answers with octets of the test's choice.
///
/// It listens on loopback, port 0, or on a Unix socket; one thread accepts, one serves each connection.
public final class RawServer: Sendable {
  /// Decides the answer to a request. It runs on the connection's thread and may block it.
  public typealias Answering = @Sendable (RawRequest) -> RawAnswer
  /// Wraps a fresh connection, for TLS; nil closes it.
  public typealias Wrapping = @Sendable (Int32) -> (any RawStream)?

  private struct Waiting {
    let requests: Int
    let accepted: Int
    let closed: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var requests: [RawRequest] = []
    var accepted = 0
    var closed = 0
    var open: [Int: Int32] = [:]
    var openMaximum = 0
    var serving = 0
    var servingMaximum = 0
    var threads = 0
    var stopping = false
    var waiting: [Waiting] = []

    mutating func readyToResume() -> [CheckedContinuation<Void, Never>] {
      let ready = waiting.filter(isReady)
      waiting.removeAll(where: isReady)
      return ready.map(\.continuation)
    }

    private func isReady(_ waiting: Waiting) -> Bool {
      let isReached =
        requests.count >= waiting.requests && accepted >= waiting.accepted && closed >= waiting.closed
      return isReached || stopping
    }
  }

  /// The port on loopback, or 0 for a Unix socket.
  public let port: Int
  private let listening: Int32
  private let state = Mutex(State())
  private let answering: Answering
  private let wrapping: Wrapping

  /// A server on 127.0.0.1, or on `::1`, or on all addresses of the machine, or on `unixSocket` where one is named; it
  /// accepts at once.
  public init(
    ipv6: Bool = false, everywhere: Bool = false, unixSocket: String? = nil, wrapping: Wrapping? = nil,
    answering: @escaping Answering
  ) throws {
    let (descriptor, port) =
      try unixSocket.map { (try Self.listen(unixSocket: $0), 0) }
      ?? Self.listen(ipv6: ipv6 || everywhere, everywhere: everywhere)
    listening = descriptor
    self.port = port
    self.answering = answering
    self.wrapping = wrapping ?? { SocketStream(descriptor: $0) }
    state.withLock { $0.threads = 1 }
    Thread { [self] in acceptAll() }.start()
  }

  /// The requests so far.
  public var requests: [RawRequest] { state.withLock { $0.requests } }
  /// How many connections were accepted so far.
  public var accepted: Int { state.withLock { $0.accepted } }
  /// The most connections that were open at the same time.
  public var openMaximum: Int { state.withLock { $0.openMaximum } }
  /// The most requests that waited for their answer at the same time.
  public var servingMaximum: Int { state.withLock { $0.servingMaximum } }

  /// Waits until that many requests and connections were seen and connections closed, or the server stopped.
  public func wait(requests: Int = 0, accepted: Int = 0, closed: Int = 0) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        state.waiting.append(
          Waiting(requests: requests, accepted: accepted, closed: closed, continuation: continuation))
        return state.readyToResume()
      }
      for continuation in ready { continuation.resume() }
    }
  }

  /// Closes everything and returns when no thread of the server is left.
  public func stop() {
    let ready = state.withLock { state in
      state.stopping = true
      for descriptor in state.open.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return state.readyToResume()
    }
    for continuation in ready { continuation.resume() }
    shutdown(listening, Int32(SHUT_RDWR))
    while state.withLock({ $0.threads > 0 }) { usleep(1_000) }
    close(listening)
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listening, nil, nil)
      guard descriptor >= 0 else {
        if state.withLock({ $0.stopping }) { break }
        continue
      }
      let (index, ready) = state.withLock { state in
        let index = state.accepted
        state.accepted += 1
        state.open[index] = descriptor
        state.openMaximum = max(state.openMaximum, state.open.count)
        state.threads += 1
        if state.stopping { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return (index, state.readyToResume())
      }
      for continuation in ready { continuation.resume() }
      Thread { [self] in serve(descriptor, index) }.start()
    }
    state.withLock { $0.threads -= 1 }
  }

  private func serve(_ descriptor: Int32, _ connection: Int) {
    // OpenSSL writes without MSG_NOSIGNAL; a client that left must not end the tests.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let stream = wrapping(descriptor) { serve(stream, descriptor, connection) }
    let ready = state.withLock { state in
      state.open[connection] = nil
      close(descriptor)
      state.closed += 1
      state.threads -= 1
      return state.readyToResume()
    }
    for continuation in ready { continuation.resume() }
  }

  private func serve(_ stream: any RawStream, _ descriptor: Int32, _ connection: Int) {
    var pending: [UInt8] = []
    var index = 0
    while let request = Self.readRequest(stream, &pending, connection, index) {
      index += 1
      let ready = state.withLock { state in
        state.requests.append(request)
        state.serving += 1
        state.servingMaximum = max(state.servingMaximum, state.serving)
        return state.readyToResume()
      }
      for continuation in ready { continuation.resume() }
      let answer = answering(request)
      state.withLock { $0.serving -= 1 }
      guard stream.write(answer.octets) else { return }
      switch answer.then {
      case .keep: continue
      case .close: return stream.end()
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return
      case .silence:
        while stream.read(4_096) != nil {}
        return
      case .repeatForever:
        while stream.write(answer.octets) {}
        return
      case .feed(let feed):
        feed.run(into: stream, descriptor)
        return stream.end()
      }
    }
  }

  private static func readRequest(
    _ stream: any RawStream, _ pending: inout [UInt8], _ connection: Int, _ index: Int
  ) -> RawRequest? {
    let separator: [UInt8] = [13, 10, 13, 10]
    var headLength: Int?
    var length = Int.max
    while pending.count < length {
      if headLength == nil, let end = pending.firstRange(of: separator)?.upperBound {
        headLength = end
        let head = RawRequest(
          octets: pending, headLength: end, connection: connection, indexOnConnection: index)
        length = end + (Int(head.header("Content-Length") ?? "") ?? 0)
        continue
      }
      guard let more = stream.read(65_536) else { return nil }
      pending += more
    }
    guard let headLength else { return nil }
    let octets = Array(pending[..<length])
    pending.removeFirst(length)
    return RawRequest(
      octets: octets, headLength: headLength, connection: connection, indexOnConnection: index)
  }
}
