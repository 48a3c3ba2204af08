internal import Glibc

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
    /// The other end waits for us.
    case answering
  }

  /// The numeric address of the other end, without port; nil on a Unix socket.
  let peer: String?
  /// Whether the connection is one too many, let in only to be told so.
  let isSurplus: Bool
  private let descriptor: Int32
  /// The phase, and for how many sweeps it has lasted.
  private let state = Guarded<(phase: Phase, age: Int)>((.opened, 0))

  init(peer: String?, isSurplus: Bool, descriptor: Int32) {
    self.peer = peer
    self.isSurplus = isSurplus
    self.descriptor = descriptor
  }

  /// Goes on to a phase. From `opened` to `head` the time runs on: both are the same wait.
  func enter(_ phase: Phase) {
    state.withLock { state in
      let isOneWait = state.phase == .opened && phase == .head
      state = (phase, isOneWait ? state.age : 0)
    }
  }

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
      }
    }
    if isOver { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }
}
