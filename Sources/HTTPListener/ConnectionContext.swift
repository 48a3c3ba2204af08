internal import Glibc
internal import Synchronization

/// What is known about one connection for as long as it is open.
///
/// The library closes a connection on which nothing happens, but not one on which a little happens all the time. So each
/// phase in which we wait for the other end has a deadline that no octet moves.
final class ConnectionContext: Sendable {
  /// What a connection is in the middle of.
  enum Phase {
    /// The first head has to come.
    case opened
    /// A further request may come.
    case idle
    /// The rest of a head has to come, after its request line.
    case head
    /// The content has to come.
    case body
    /// The other end waits for us, or follows a stream, which has bounds of its own.
    case answering
    /// The other end has to read the answer.
    case answered
  }

  /// The numeric address of the other end, without port; nil on a Unix socket.
  let peer: String?
  /// Whether the connection is one too many, let in only to be told so.
  let isSurplus: Bool
  /// As whose it counts among the connections of one address; nil where it does not.
  let countedAs: String?
  private let descriptor: Int32
  private let identities: TLSIdentitySlot?
  private struct State {
    var phase = Phase.opened
    /// For how many sweeps the phase has lasted.
    var age = 0
    var request: RequestContext?
    /// What the other end was shown; held for as long as the library may use it.
    var identity: TLSIdentity?
  }

  private let state = Mutex(State())

  init(
    peer: String?, isSurplus: Bool, countedAs: String? = nil, descriptor: Int32,
    identities: TLSIdentitySlot? = nil
  ) {
    self.peer = peer
    self.isSurplus = isSurplus
    self.countedAs = countedAs
    self.descriptor = descriptor
    self.identities = identities
  }

  /// The identity for this connection's handshake, the same however often it is asked for; nil without TLS.
  func shownIdentity() -> TLSIdentity? {
    state.withLock { state in
      if state.identity == nil { state.identity = identities?.current }
      return state.identity
    }
  }

  /// The request that the connection is in the middle of, from its request line to the end of its answer.
  ///
  /// The connection owns it, because the library does not always say that a request is over: one whose query has more names
  /// than fit into the connection's memory is forgotten without a word.
  var request: RequestContext? { state.withLock(\.request) }

  /// A request line has come. Returns the request before it where the library has not said that it is over.
  func begin(_ request: RequestContext) -> RequestContext? {
    state.withLock { state in
      // Waiting for the first head is one wait, whatever has come of it.
      if state.phase != .opened { state.age = 0 }
      state.phase = .head
      defer { state.request = request }
      return state.request
    }
  }

  /// The request is over; nil where there is none.
  func end() -> RequestContext? {
    state.withLock { state in
      (state.phase, state.age) = (.idle, 0)
      return state.request.take()
    }
  }

  /// Goes on to a phase.
  func enter(_ phase: Phase) { state.withLock { ($0.phase, $0.age) = (phase, 0) } }

  /// Ages by one second, and shuts the socket down where the phase has lasted too long; the library then finds the
  /// connection ended. To be called only while the library has the connection open.
  func sweep(limits: HTTPLimits) {
    let isOver = state.withLock { state in
      state.age += 1
      return switch state.phase {
      case .opened, .head: state.age > limits.headSeconds
      case .idle: state.age > limits.idleSeconds
      case .body: state.age > limits.bodySeconds
      case .answering: false
      case .answered: state.age > limits.answerSeconds
      }
    }
    if isOver { cut() }
  }

  /// Shuts the socket down; the library then finds the connection ended. As for `sweep`, it has to be open.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
