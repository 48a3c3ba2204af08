/// What one listener takes. Every number bounds memory, time or descriptors.
package struct HTTPLimits: Sendable, Equatable {
  /// Octets of content in one request: the contract's 64 KiB.
  package var bodyOctets = 65_536
  /// Header fields in one request. Browsers and proxies send 10 to 40.
  package var fields = 100
  /// Memory of one connection in octets; the head has to fit beside the library's own records of it, which makes
  /// about 30 KiB of it. Longer request lines are answered 414, longer heads 431.
  package var connectionOctets = 32_768
  /// Open connections; a request on one beyond is answered 503. With `connectionOctets` that is 128 MiB at most.
  /// Streams are long-lived, and most of what they may use they never touch: with everything that belongs to it, an idle one of
  /// 1,000 took 27 KiB, and 82 KiB by TLS, which has memory of its own.
  package var connections = 4_096
  /// Open connections from one address; a request on one beyond is answered 503. A sixteenth of all, so that no few
  /// addresses can take every connection. A listener may exempt addresses, such as a reverse proxy's.
  package var connectionsPerAddress = 256
  /// Seconds from the opening of a connection to the end of its first head, and from a later request line to the end
  /// of its head: the contract's 10 s.
  package var headSeconds = 10
  /// Seconds from the end of the head to the end of the content: the contract's 30 s.
  package var bodySeconds = 30
  /// Seconds from the beginning of an answer until the other end has taken it, streams apart. A megabyte in that time is 9
  /// kB a second, which the slowest of phones' networks give.
  package var answerSeconds = 120
  /// Seconds without an octet in either direction after which a connection is closed, and from an answer to the end of
  /// the next request line. Longer than the 60 s for which
  /// reverse proxies keep an idle connection, so that it is them who close it and no request is lost in the race.
  package var idleSeconds = 75
  /// Seconds for which `stop()` waits for running requests. Longer than the slowest answer of the service.
  package var drainSeconds = 10

  /// Octets that are read and thrown away when content without an announced length turns out too large, so that
  /// the sender gets to read the 413; beyond, the connection is cut. 1 MiB, 16 times the content allowed.
  static let discardedOctets = 1_048_576
  /// Connections beyond `connections` that are let in to be told so; further ones wait in the backlog.
  package static let surplusConnections = 64
  /// Connections beyond `connectionsPerAddress` that are let in to be told so; further ones are cut at once, so that what
  /// waits to be told cannot fill the listener either.
  package static let surplusPerAddress = 16
  /// Seconds after which a stream's reader is given up of which nothing has come, not even that it has no room: three
  /// heartbeats of ten seconds, so that at least two went unanswered.
  static let streamSilenceSeconds = 30
  /// Attempts in a row to which nothing was answered by then. One may be on its way at any moment, and one may be lost; even
  /// slow networks repeat three times in 20 s.
  static let streamUnansweredMinimum = 3
  /// Octets of a stream that wait in the system for its reader, on top of the stream's own capacity; Linux doubles it for
  /// its records of them. By itself it would let them grow to 4 MiB. A reader 100 ms away still gets half a megabyte in
  /// a second, and more where it is nearer.
  static let streamSendOctets = 65_536
  /// Octets that the library asks a stream for at once where it sends no chunks, which is for HTTP/1.0 alone; every
  /// stream has the memory. The size of chunks follows from `connectionOctets`.
  static let streamBlockOctets = 1_024
  /// Connections that the kernel queues for a listener; the kernel cuts it to its own `somaxconn`.
  static let backlog: Int32 = 1_024

  /// The limits of the contract.
  package init() {}
}
