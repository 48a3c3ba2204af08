internal import Synchronization

/// Listens on one address and hands requests that have passed the gate to a handler.
///
/// A request is read whole before the handler runs; meanwhile its connection is set aside and costs no thread.
package final class HTTPListener: Sendable {
  /// The address in fact: the port that the system chose.
  package let address: ListenAddress
  private let core: ListenerCore
  private let stopping = Mutex<Task<Void, Never>?>(nil)

  /// Binds `address` and serves at once.
  ///
  /// `refusal` makes the answer to a request that does not get to the handler; it is called on the library's thread,
  /// so it must be quick. Where there are `identities`, the listener speaks TLS 1.2 and 1.3 and nothing else.
  /// `countedAs` says of a numeric address as whose its connections count for `HTTPLimits.connectionsPerAddress`; nil where that
  /// is not for it.
  package convenience init(
    address: ListenAddress, limits: HTTPLimits = HTTPLimits(), identities: TLSIdentitySlot? = nil,
    countedAs: @escaping @Sendable (String) -> String? = { $0 },
    refusal: @escaping @Sendable (GateRefusal) -> HTTPResponse, handler: @escaping HTTPHandler
  ) throws(HTTPListenerError) {
    try self.init(
      socket: .listening(on: address), limits: limits, identities: identities, countedAs: countedAs,
      refusal: refusal,
      handler: handler)
  }

  /// Serves at once on a socket that listens already.
  package init(
    socket: consuming ListenSocket, limits: HTTPLimits = HTTPLimits(), identities: TLSIdentitySlot? = nil,
    countedAs: @escaping @Sendable (String) -> String? = { $0 },
    refusal: @escaping @Sendable (GateRefusal) -> HTTPResponse, handler: @escaping HTTPHandler
  ) throws(HTTPListenerError) {
    address = socket.address
    core = ListenerCore(
      limits: limits, identities: identities, countedAs: countedAs, refusal: refusal, handler: handler)
    try core.serve(on: socket)
  }

  deinit { _ = stopOnce() }

  /// Takes no more connections, finishes streams, lets running requests finish for at most `HTTPLimits.drainSeconds`,
  /// then closes everything. Requests that come meanwhile on open connections are refused as `.stopping`. May be called again.
  package func stop() async { await stopOnce().value }

  private func stopOnce() -> Task<Void, Never> {
    stopping.withLock { stopping in
      if let running = stopping { return running }
      let task = Task { [core] in await core.stop() }
      stopping = task
      return task
    }
  }
}
