internal import class Foundation.Thread
internal import Synchronization

/// What the library's callbacks work with: the rules, the handler, and the requests that are being handled.
final class ListenerCore: Sendable {
  private struct State {
    /// The requests whose answer is not there yet, or goes out.
    var running: [ObjectIdentifier: RequestContext] = [:]
    /// The streams that go out, by their request, which is not among `running` any more.
    var streams: [ObjectIdentifier: HTTPStream] = [:]
    /// The connections that the library has open.
    var connections: [ObjectIdentifier: ConnectionContext] = [:]
    var addresses = AddressCount()
    var isStopping = false
    var sweeper: Task<Void, Never>?
    /// Who waits until nothing is under way, numbered so that an old timer wakes nobody new.
    var waiter: (number: Int, work: Work, continuation: CheckedContinuation<Void, Never>)?
    var waiters = 0

    func isUnderWay(_ work: Work) -> Bool { !running.isEmpty || work == .all && !streams.isEmpty }

    /// The waiter, where nothing that it waits for is under way any more.
    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard let work = waiter?.work, !isUnderWay(work) else { return nil }
      return waiter.take()?.continuation
    }
  }

  /// What `stop` waits for.
  private enum Work { case requests, all }

  let limits: HTTPLimits
  /// What connections are shown by TLS; nil where they come without.
  let identities: TLSIdentitySlot?
  private let countedAs: @Sendable (String) -> String?
  private let gate: FramingGate
  private let refusal: @Sendable (GateRefusal) -> HTTPResponse
  private let handler: HTTPHandler
  private let state = Mutex(State())
  /// The calls that wake connections and have not returned yet.
  let resumes = ResumeCounter()
  private let daemon = Mutex<HTTPDaemon?>(nil)

  init(
    limits: HTTPLimits, identities: TLSIdentitySlot? = nil,
    countedAs: @escaping @Sendable (String) -> String? = { $0 },
    refusal: @escaping @Sendable (GateRefusal) -> HTTPResponse,
    handler: @escaping HTTPHandler
  ) {
    self.limits = limits
    self.identities = identities
    self.countedAs = countedAs
    gate = FramingGate(limits: limits)
    self.refusal = refusal
    self.handler = handler
  }

  /// Starts to serve; the daemon keeps this object alive until it is stopped.
  func serve(on socket: consuming ListenSocket) throws(HTTPListenerError) {
    let started = try HTTPDaemon(serving: self, on: socket)
    var slot: HTTPDaemon? = consume started
    daemon.withLock { $0 = slot.take() }
    let sweeper = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { self?.sweep() }
    }
    state.withLock { $0.sweeper = sweeper }
  }

  /// Notes a new connection, which may be one too many, of all or of its address.
  func opened(from peer: String?, descriptor: Int32) -> ConnectionContext {
    let network = peer.flatMap(countedAs)
    return state.withLock { state in
      let ofAddress = state.addresses.add(network)
      let connection = ConnectionContext(
        peer: peer,
        isSurplus: state.connections.count >= limits.connections || ofAddress > limits.connectionsPerAddress,
        countedAs: network, descriptor: descriptor, identities: identities)
      state.connections[ObjectIdentifier(connection)] = connection
      if ofAddress > limits.connectionsPerAddress + HTTPLimits.surplusPerAddress { connection.cut() }
      return connection
    }
  }

  /// Forgets a connection; to be called before the library closes its descriptor.
  func closed(_ connection: ConnectionContext) {
    state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = nil
      state.addresses.remove(connection.countedAs)
    }
    if let forgotten = connection.end() { completed(forgotten) }
  }

  /// Cuts the connections that have kept us waiting for too long.
  private func sweep() {
    // Under the lock, so that no descriptor is closed and given to somebody else meanwhile.
    state.withLock { state in for connection in state.connections.values { connection.sweep(limits: limits) }
    }
    // Not under the lock: each has its own, and an end may call anybody.
    for stream in state.withLock({ Array($0.streams.values) }) { stream.sweep() }
  }

  /// Sets the connection aside and runs the handler; false where no new request is taken.
  func run(_ request: HTTPRequest, in context: RequestContext) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopping else { return false }
      state.running[ObjectIdentifier(context)] = context
      // Under this lock, so that `stop` finds every request of `running` with its connection set aside.
      context.suspend()
      return true
    }
    if isTaken { context.run(request, handler: handler) }
    return isTaken
  }

  /// Why a request goes no further than its head, or nil.
  func refusal(of head: RequestHead, on connection: ConnectionContext) -> GateRefusal? {
    if let refusal = head.refusal(by: gate) { return refusal }
    if isStopping { return .stopping }
    return connection.isSurplus ? .tooManyConnections : nil
  }

  /// The answer that goes with a refusal.
  func answer(to refused: GateRefusal) -> HTTPResponse { refusal(refused) }

  /// Whether answers ask for the connection to be closed.
  var isStopping: Bool { state.withLock(\.isStopping) }

  /// A request is about to be answered by a stream.
  func streams(_ stream: HTTPStream, in context: RequestContext) {
    let (isStopping, waiter) = state.withLock { state in
      state.running[ObjectIdentifier(context)] = nil
      state.streams[ObjectIdentifier(context)] = stream
      return (state.isStopping, state.takeWaiter())
    }
    if isStopping { stream.finish() }
    waiter?.resume()
  }

  /// The library is done with a request.
  func completed(_ context: RequestContext) {
    context.end()
    let waiter = state.withLock { state in
      state.running[ObjectIdentifier(context)] = nil
      state.streams[ObjectIdentifier(context)] = nil
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// Takes no more connections and requests, finishes streams, lets running requests finish for
  /// `HTTPLimits.drainSeconds`, answers those that are still running in the handler's place, and ends the daemon. To be
  /// called once.
  func stop() async {
    let streams = state.withLock { state in
      state.isStopping = true
      return Array(state.streams.values)
    }
    daemon.withLock { $0?.quiesce() }
    // A stream that was finished is never suspended again, and the daemon must not end while one is.
    for stream in streams { stream.finish() }
    await drained(of: .requests, within: .seconds(limits.drainSeconds))
    for context in state.withLock({ Array($0.running.values) }) { context.abandon(answer(to: .stopping)) }
    // An answer needs a moment on its way; who does not read it within a second does not get it.
    await drained(of: .all, within: .seconds(1))
    await withCheckedContinuation { continuation in
      // Waits for the library's thread, so it gets a thread of its own.
      Thread.detachNewThread {
        while self.resumes.isBusy { Thread.sleep(forTimeInterval: 0.001) }
        self.daemon.withLock { $0 = nil }
        continuation.resume()
      }
    }
    state.withLock(\.sweeper)?.cancel()
  }

  /// Returns when nothing is under way, or after a time.
  private func drained(of work: Work, within duration: Duration) async {
    var timer: Task<Void, Never>?
    await withCheckedContinuation { continuation in
      let number: Int? = state.withLock { state in
        guard state.isUnderWay(work) else { return nil }
        state.waiters += 1
        state.waiter = (state.waiters, work, continuation)
        return state.waiters
      }
      guard let number else { return continuation.resume() }
      // Not before, lest it finds nobody to wake.
      timer = Task {
        try? await Task.sleep(for: duration)
        self.wake(number)
      }
    }
    timer?.cancel()
  }

  private func wake(_ number: Int) {
    let waiter = state.withLock { $0.waiter?.number == number ? $0.waiter.take() : nil }
    waiter?.continuation.resume()
  }
}
