/// What is known about one connection for as long as it is open.
final class ConnectionContext: Sendable {
  /// The numeric address of the other end, without port; nil on a Unix socket.
  let peer: String?
  /// Whether the connection is one too many, let in only to be told so.
  let isSurplus: Bool

  init(peer: String?, isSurplus: Bool) {
    self.peer = peer
    self.isSurplus = isSurplus
  }
}
