internal import Foundation
internal import Glibc
package import HTTPListener
internal import Synchronization
package import WakeServer

/// A push server that does what no HTTP library does: it works on bare sockets, with a thread for each connection.
///
/// What is no fault is answered by its rules as by any push server.
package final class HostilePushServer: Sendable {
  /// Connections at the same time; further ones are closed at once. A sender opens 20 to one origin.
  package static let connectionsMaximum = 64
  /// Seconds that a connection may last, whatever the other side does: six times what a sender has.
  package static let lifeSeconds = 60
  /// How long an answer that was begun may go on when the server stops.
  static let graceMilliseconds = 1_000

  private struct State {
    /// The descriptors of open connections, each served by a thread of its own.
    var open: Set<Int32> = []
    /// The threads that run, that which accepts included.
    var threads = 0
    var isStopping = false
  }

  /// The address in fact.
  private let address: ListenAddress
  private let socket: ListenSocket
  private let identity: RawTLSIdentity?
  private let rules: PushServerRules
  private let clock: WallClock
  private let see: @Sendable (PushSight) -> Void
  private let state = Mutex(State())

  /// Listens, and serves at once, by https where there is an `identity`. `see` hears of every request before it is answered, on any thread.
  package init(
    on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), identity: RawTLSIdentity? = nil,
    rules: PushServerRules, clock: WallClock = .system,
    seeing see: @escaping @Sendable (PushSight) -> Void = { _ in }
  ) throws(HTTPListenerError) {
    socket = try ListenSocket.listening(on: address)
    self.address = socket.address
    self.identity = identity
    self.rules = rules
    self.clock = clock
    self.see = see
    state.withLock { $0.threads = 1 }
    Thread.detachNewThread { self.acceptAll() }
  }

  /// `http://127.0.0.1:PORT`, or `https://…`.
  package var origin: String { "\(scheme)://\(address)" }

  private var scheme: String { identity == nil ? "http" : "https" }

  /// Connections that are open now.
  package var connections: Int { state.withLock(\.open.count) }

  /// Closes everything, and returns when no thread of it is left.
  package func stop() async {
    state.withLock { state in
      state.isStopping = true
      // No request comes any more; one that was seen is still answered.
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RD)) }
    }
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var left = Self.graceMilliseconds
        while self.state.withLock({ $0.threads > 0 }) {
          Thread.sleep(forTimeInterval: 0.001)
          left -= 1
          guard left == 0 else { continue }
          self.state.withLock { state in
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
          }
        }
        continuation.resume()
      }
    }
  }

  private func acceptAll() {
    while !state.withLock(\.isStopping) {
      var look = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      // Also returns when the socket is shut down.
      guard unsafe poll(&look, 1, -1) > 0 else { continue }
      let descriptor = accept(socket.descriptor, nil, nil)
      guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
        // Out of descriptors, say: a moment later there may be one.
        if errno != EAGAIN { Thread.sleep(forTimeInterval: 0.001) }
        continue
      }
      let isTaken = state.withLock { state in
        guard !state.isStopping, state.open.count < Self.connectionsMaximum else { return false }
        state.open.insert(descriptor)
        state.threads += 1
        return true
      }
      guard isTaken else {
        close(descriptor)
        continue
      }
      Thread.detachNewThread { self.serve(descriptor) }
    }
    state.withLock { $0.threads -= 1 }
  }

  private func serve(_ descriptor: Int32) {
    // OpenSSL writes without MSG_NOSIGNAL; a client that has left must not end the process.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    converse(on: descriptor)
    state.withLock { state in
      // Under the lock, so that `stop` shuts down nobody else's descriptor of this number.
      state.open.remove(descriptor)
      close(descriptor)
      state.threads -= 1
    }
  }

  /// Serves a connection until it is over.
  private func converse(on descriptor: Int32) {
    let session = identity?.session(on: descriptor)
    guard identity == nil || session != nil else { return }
    let connection = RawConnection(descriptor: descriptor, tls: session, lifeSeconds: Self.lifeSeconds)
    guard connection.shakesHands() else { return }
    var reader = RawRequestReader()
    while let head = reader.head(from: connection), answer(head, by: &reader, on: connection) {}
  }

  /// Answers one request; false where the connection is over.
  private func answer(
    _ head: RawRequestReader.Head, by reader: inout RawRequestReader, on connection: borrowing RawConnection
  ) -> Bool {
    var request = head.request
    let now = clock.now()
    if let fault = rules.fault(for: request.path), fault.isBeforeTheBody {
      let push = ReceivedPush(request, scheme: scheme, nowSeconds: now / 1_000, verifies: false)
      see(PushSight(push, PushReaction(deed: .fault(fault), cause: fault.rawValue), at: now))
      fault.commit(on: connection, target: request.target)
      return false
    }
    guard let length = head.length else {
      see(PushSight(at: now, refusedWith: 413, because: "the body has no length, or too great a one"))
      connection.send(Self.octets(of: HTTPResponse(status: 413)))
      return false
    }
    guard let body = reader.body(length, from: connection) else { return false }
    request.body = body
    let push = ReceivedPush(request, scheme: scheme, nowSeconds: now / 1_000, verifies: rules.checks)
    let reaction = rules.reaction(to: push)
    see(PushSight(push, reaction, at: now))
    var rest = reaction.delayMilliseconds
    while rest > 0 {
      guard connection.stays(for: Int32(min(rest, 1_000))) else { return false }
      rest -= 1_000
    }
    switch reaction.deed {
    case .answer(let response): return connection.send(Self.octets(of: response))
    case .fault(let fault):
      fault.commit(on: connection, target: request.target)
      return false
    }
  }

  private static func octets(of response: HTTPResponse) -> [UInt8] {
    var head = "HTTP/1.1 \(response.status) \r\n"
    let own = ["content-length", "transfer-encoding", "connection"]
    for field in response.headers where !own.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    return Array("\(head)Content-Length: \(response.body.count)\r\n\r\n".utf8) + response.body
  }
}
