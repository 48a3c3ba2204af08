internal import Glibc

/// A socket that listens: closed with the handle, and its path removed where it has one of its own.
package struct ListenSocket: ~Copyable, Sendable {
  /// The descriptor; close-on-exec and non-blocking.
  package let descriptor: Int32
  /// The address in fact: the port that the system chose.
  package let address: ListenAddress
  /// Whether we made the socket.
  private let isOurs: Bool
  /// The file to remove at the end; nil for TCP and for sockets that somebody else made.
  private let file: UnixSocketFile?

  init(
    takingOwnershipOf descriptor: Int32, address: ListenAddress, file: UnixSocketFile? = nil,
    isOurs: Bool = true
  ) {
    self.isOurs = isOurs
    self.descriptor = descriptor
    self.address = address
    self.file = file
  }

  deinit {
    file?.remove()
    close(descriptor)
  }

  /// Binds and listens.
  package static func listening(on address: ListenAddress) throws(HTTPListenerError) -> ListenSocket {
    switch address {
    case .tcp(let host, let port): try tcp(host: host, port: port)
    case .unix(let path): try unix(path: path)
    }
  }

  /// Takes over a socket that listens already, as a service manager hands it over; its path is left alone.
  package static func adopting(descriptor: Int32) throws(HTTPListenerError) -> ListenSocket {
    let flags = try SystemCall.check("fcntl", fcntl(descriptor, F_GETFD))
    try SystemCall.check("fcntl", fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC))
    let status = try SystemCall.check("fcntl", fcntl(descriptor, F_GETFL))
    try SystemCall.check("fcntl", fcntl(descriptor, F_SETFL, status | O_NONBLOCK))
    let address = try SocketAddress.local(of: descriptor)
    var accepts: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try SystemCall.check(
      "getsockopt", unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size))
    guard accepts != 0 else { throw .notListening(descriptor) }
    return ListenSocket(takingOwnershipOf: descriptor, address: address, isOurs: false)
  }

  /// Turns new connections away; who is in the queue already waits for the end. A socket that somebody else made stays as
  /// it is: they may want to go on with it.
  func stopListening() {
    if isOurs { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// A second descriptor of the same socket, close-on-exec.
  func duplicate() throws(HTTPListenerError) -> Int32 {
    try SystemCall.check("fcntl", fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
  }
}
