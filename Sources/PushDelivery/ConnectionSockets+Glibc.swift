internal import Glibc

/// Which socket a kept connection has: libcurl names its ends alone.
///
/// A connection is entered before its first request. Closed ones stay until their number is given to another socket:
/// there are never more than this process has had sockets at the same time.
final class ConnectionSockets {
  private var sockets: [ConnectionEnds: Int32] = [:]
  private var connections: [Int32: ConnectionEnds] = [:]

  /// Enters the socket of a connection that was just made.
  func keep(_ socket: Int32, of connection: ConnectionEnds) {
    // The number is another one's no more.
    if let closed = connections[socket], sockets[closed] == socket { sockets[closed] = nil }
    connections[socket] = connection
    sockets[connection] = socket
  }

  /// The socket of a kept connection; nil unless nothing has come over it since nobody waits for anything from it. Octets,
  /// a farewell or an end that lie there mean that the push server is done with it.
  func quietSocket(of connection: ConnectionEnds) -> Int32? {
    guard let socket = sockets[connection] else { return nil }
    var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&look, 1, 0) == 0 ? socket : nil
  }
}
