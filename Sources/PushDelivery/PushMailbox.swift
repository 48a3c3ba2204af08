internal import Synchronization

/// One wake on its way through the sender, with the caller that waits for its answer. It goes through many hands, which
/// share it.
final class PushJob: Sendable {
  let message: WakeMessage
  let destination: Destination
  let continuation: CheckedContinuation<PushAnswer, Never>

  init(
    message: WakeMessage, destination: Destination, continuation: CheckedContinuation<PushAnswer, Never>
  ) {
    self.message = message
    self.destination = destination
    self.continuation = continuation
  }
}

/// What other threads leave for the sender's own.
final class PushMailbox: Sendable {
  /// What came of asking for a name.
  struct Resolution {
    let result: Result<[IPAddress], NameResolutionError>
    /// What it tells of the name: one that takes long keeps a thread from others, whatever comes in the end.
    let standing: OriginStanding

    /// A result that is here now, of a question that was asked at `start` by the steady clock.
    init(_ result: Result<[IPAddress], NameResolutionError>, start: Int64) {
      self.result = result
      let milliseconds = SteadyClock.milliseconds - start
      let isAnswer =
        switch result {
        case .success, .failure(.noSuchName): milliseconds < OriginStanding.silenceMilliseconds
        case .failure: false
        }
      standing = OriginStanding(answered: isAnswer, milliseconds: milliseconds)
    }
  }

  /// What lies in it.
  struct Mail {
    var jobs: [PushJob] = []
    var resolved: [(name: String, answer: Resolution)] = []
    /// Set once: no more jobs come, and in that many milliseconds the rest is given up.
    var graceMilliseconds: Int?
  }

  private struct State {
    var mail = Mail()
    var isClosed = false
    var hasEnded = false
    var whenEnded: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let wakeup: CurlMultiWakeup

  init(wakeup: CurlMultiWakeup) { self.wakeup = wakeup }

  /// Leaves a job; false after `close`, and the caller keeps it.
  func leave(_ job: PushJob) -> Bool {
    let (accepted, wakes) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.mail.jobs.append(job)
      return (true, state.mail.jobs.count == 1)
    }
    if wakes { wakeup.wake() }
    return accepted
  }

  /// Leaves what came of asking for a name.
  func leave(_ answer: Resolution, of name: String) {
    state.withLock { $0.mail.resolved.append((name, answer)) }
    wakeup.wake()
  }

  /// Takes no more jobs; whoever is under way has `graceMilliseconds`. The first call decides.
  func close(graceMilliseconds: Int) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      state.mail.graceMilliseconds = graceMilliseconds
    }
    wakeup.wake()
  }

  /// Takes what lies in it.
  func empty() -> Mail {
    state.withLock { state in
      let mail = state.mail
      state.mail = Mail()
      return mail
    }
  }

  /// The sender's thread is about to end.
  func end() {
    let continuations = state.withLock { state in
      state.isClosed = true
      state.hasEnded = true
      let continuations = state.whenEnded
      state.whenEnded = []
      return continuations
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Returns when the sender's thread has nothing left to do.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state in
        if !state.hasEnded { state.whenEnded.append(continuation) }
        return state.hasEnded
      }
      if ended { continuation.resume() }
    }
  }
}
