internal import Dispatch
internal import Synchronization

/// A bounded queue between callers, who never wait for room, and threads of our own, which wait for work.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
    var sleepers = 0
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let countMaximum: Int

  /// A queue that holds `countMaximum` jobs.
  init(countMaximum: Int) {
    self.countMaximum = countMaximum
  }

  /// Adds a job; throws `busy` where there is no room, `closed` after `close`.
  func add(_ job: Job) throws(RegistryError) {
    let added: Result<Bool, RegistryError> = state.withLock { state in
      guard !state.isClosed else { return .failure(.closed) }
      guard state.jobs.count < countMaximum else { return .failure(.busy) }
      state.jobs.append(job)
      guard state.sleepers > 0 else { return .success(false) }
      state.sleepers -= 1
      return .success(true)
    }
    // Once the lock is free: whoever wakes up wants it.
    if try added.get() { wake.signal() }
  }

  /// Jobs that wait.
  var count: Int { state.withLock(\.jobs.count) }

  /// Waits for work and takes at most `limit` jobs, the oldest first; none once the queue is closed and empty.
  func take(upTo limit: Int) -> [Job] {
    while true {
      let taken: [Job]? = state.withLock { state in
        guard state.jobs.isEmpty else {
          let taken = Array(state.jobs.prefix(limit))
          state.jobs.removeFirst(taken.count)
          return taken
        }
        if state.isClosed { return [] }
        state.sleepers += 1
        return nil
      }
      if let taken { return taken }
      wake.wait()
    }
  }

  /// Takes at most `limit` of the jobs that wait, the oldest first, without waiting for any.
  func takeWaiting(upTo limit: Int) -> [Job] {
    state.withLock { state in
      let taken = Array(state.jobs.prefix(limit))
      state.jobs.removeFirst(taken.count)
      return taken
    }
  }

  /// Admits no more jobs. Those that wait are still done.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for _ in 0..<state.sleepers { wake.signal() }
      state.sleepers = 0
    }
  }
}
