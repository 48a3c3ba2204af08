internal import Dispatch
internal import class Foundation.Thread
internal import Synchronization

/// A bounded set of threads of our own for calls that block, so that Swift's cooperative pool never waits.
///
/// Threads start when there is work and no idle one; jobs beyond the bound wait in order.
package final class WorkerThreads: Sendable {
  private struct State {
    var jobs = FirstInFirstOut<@Sendable () -> Void>()
    var threads = 0
    var idle = 0
    var stopping = false
    var whenStopped: [@Sendable () -> Void] = []
  }

  private let name: String
  private let threadsMaximum: Int
  private let state = Mutex(State())
  /// Counts jobs that no thread has taken, and once per thread when it is time to end.
  private let work = DispatchSemaphore(value: 0)

  /// A set of at most `threads` threads called `name`; none runs before the first job.
  package init(name: String, threads: Int) {
    self.name = name
    threadsMaximum = max(1, threads)
  }

  /// Runs `job` on one of the threads; false where `stop` was called before, and the job will not run.
  @discardableResult
  package func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let (accepted, starts) = state.withLock { state in
      guard !state.stopping else { return (false, false) }
      state.jobs.append(job)
      // Idle threads that a signal is on its way to are spoken for.
      guard state.jobs.count > state.idle, state.threads < threadsMaximum else { return (true, false) }
      state.threads += 1
      return (true, true)
    }
    guard accepted else { return false }
    work.signal()
    if starts {
      let thread = Thread { [self] in serve() }
      thread.name = name
      thread.start()
    }
    return true
  }

  /// Takes no more jobs; threads end when those that were taken are done. `whenStopped` runs on the last one.
  package func stop(_ whenStopped: @escaping @Sendable () -> Void = {}) {
    let (threads, done) = state.withLock { state in
      if !state.stopping {
        state.stopping = true
        if state.threads > 0 {
          state.whenStopped.append(whenStopped)
          return (state.threads, false)
        }
        return (0, true)
      }
      if state.threads > 0 { state.whenStopped.append(whenStopped) }
      return (0, state.threads == 0)
    }
    for _ in 0..<threads { work.signal() }
    if done { whenStopped() }
  }

  private func serve() {
    BrokenPipeSignal.blockOnThisThread()
    while true {
      state.withLock { $0.idle += 1 }
      work.wait()
      let job = state.withLock { state in
        state.idle -= 1
        return state.jobs.popFirst()
      }
      // A signal without a job is the one to end.
      guard let job else { break }
      job()
    }
    let callbacks = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [@Sendable () -> Void]() }
      let callbacks = state.whenStopped
      state.whenStopped = []
      return callbacks
    }
    for callback in callbacks { callback() }
  }
}
