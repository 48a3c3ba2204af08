internal import Synchronization

/// One request from its request line to the end of its answer.
///
/// Its connection owns a reference until the request is over, the task that runs the handler another. Whoever is last
/// frees it, so that a handler may outlive its connection.
final class RequestContext: Sendable {
  /// What the library has to do when it asks.
  enum Step {
    /// Look at the head, which has just come in whole.
    case examineHead
    /// Run the handler: the request is whole.
    case run(HTTPRequest)
    /// Refuse: the request is whole, but was found wanting on the way.
    case refuse(GateRefusal)
    /// Send the answer.
    case send(HTTPResponse, closes: Bool)
    /// Nothing: the answer is not there yet, or was given already.
    case wait
  }

  private enum Phase {
    case head, body, running
    case answered(HTTPResponse)
    case over
  }

  private struct State {
    var phase = Phase.head
    var request: HTTPRequest?
    /// Octets of content that were thrown away because there were too many.
    var discarded = 0
    var closes = false
  }

  /// The target as on the wire.
  let target: String
  /// The number of its octets, of which `target` may show fewer where they are no UTF-8.
  let targetOctets: Int
  private let connection: ConnectionReference
  private let resumes: ResumeCounter
  private let state = Mutex(State())
  private let task = Mutex<(running: Task<Void, Never>?, isAbandoned: Bool)>((nil, false))

  init(target: String, targetOctets: Int, connection: ConnectionReference, resumes: ResumeCounter) {
    self.target = target
    self.targetOctets = targetOctets
    self.connection = connection
    self.resumes = resumes
  }

  /// What to do now that the library asks without content.
  func nextStep() -> Step {
    state.withLock { state in
      switch state.phase {
      case .head: return .examineHead
      case .body:
        guard state.discarded == 0, let request = state.request.take() else { return .refuse(.bodyTooLarge) }
        return .run(request)
      case .answered(let response):
        state.phase = .over
        return .send(response, closes: state.closes)
      case .running, .over: return .wait
      }
    }
  }

  /// The head has passed the gate; `closes` asks for the connection to be closed after the answer.
  func headPassed(_ request: HTTPRequest, closes: Bool) {
    state.withLock { state in
      state.phase = .body
      state.request = request
      state.closes = closes
    }
  }

  /// Keeps content, or counts it where it is too much. False where even the patience for that is exhausted.
  func append(_ octets: UnsafeRawBufferPointer, limit: Int) -> Bool {
    state.withLock { state in
      if let count = state.request?.body.count, octets.count <= limit - count {
        unsafe state.request?.body.append(contentsOf: octets)
        return true
      }
      state.request = nil
      state.discarded += octets.count
      return state.discarded <= HTTPLimits.discardedOctets
    }
  }

  /// Sets the connection aside. The answer may come from now on.
  func suspend() {
    state.withLock { state in
      connection.suspend()
      state.phase = .running
    }
  }

  /// Starts the handler, after `suspend`.
  func run(_ request: HTTPRequest, handler: @escaping HTTPHandler) {
    // Not under the lock that `finish` needs: a handler that has its answer at once would wait for us.
    let started = Task { self.finish(await handler(request)) }
    // It may have been abandoned before we have a hold on it.
    let isAbandoned = task.withLock { task in
      task.running = started
      return task.isAbandoned
    }
    if isAbandoned { started.cancel() }
  }

  /// Takes the answer and wakes the connection; does nothing where there is an answer already.
  func finish(_ response: HTTPResponse) {
    // Counted, so that the daemon does not end before the call that wakes the connection has returned: the library
    // may send the answer and be done with the request before that. The connection itself is there until it is woken,
    // and only one of those who have an answer gets to wake it.
    resumes.perform {
      let isFirst = state.withLock { state in
        guard case .running = state.phase else { return false }
        state.phase = .answered(response)
        return true
      }
      if isFirst { connection.resume() } else { response.stream?.end() }
    }
  }

  /// Answers in the handler's place and tells the handler to give up.
  func abandon(_ response: HTTPResponse) {
    let running = task.withLock { task in
      task.isAbandoned = true
      return task.running
    }
    running?.cancel()
    state.withLock { $0.closes = true }
    finish(response)
  }

  /// The library is done with the request, whether it was answered or not.
  func end() {
    let unsent: HTTPResponse? = state.withLock { state in
      defer { (state.phase, state.request) = (.over, nil) }
      return if case .answered(let response) = state.phase { response } else { nil }
    }
    unsent?.stream?.end()
  }
}
