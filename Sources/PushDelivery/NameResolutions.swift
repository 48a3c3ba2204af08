internal import HTTPClient

/// Attempts that wait for the addresses of a name. Each name is asked for once, however many wait for it, on threads
/// that are shared as the places of the sender are: names that hung lately, or were never asked for, leave some to
/// those that are known to resolve.
///
/// It lives on the sender's thread; answers come back through its mailbox.
final class NameResolutions {
  private var attempts: [String: [PushAttempt]] = [:]
  /// Names that a thread is at.
  private var asked: Set<String> = []
  private var queue: SendQueue<String>
  private let threads: WorkerThreads
  private let resolver: NameResolver
  private let mailbox: PushMailbox
  /// No attempt that waits has an earlier deadline than this.
  private(set) var deadline = Int64.max

  init(configuration: PushSenderConfiguration, mailbox: PushMailbox) {
    queue = SendQueue(limits: configuration.resolverLimits)
    threads = WorkerThreads(name: "push-resolver", threads: configuration.resolverThreads)
    resolver = configuration.resolver
    self.mailbox = mailbox
  }

  /// Lets `attempt` wait for the addresses of `name`; false where too many names wait.
  func add(_ attempt: PushAttempt, for name: String) -> Bool {
    if attempts[name] == nil {
      guard queue.append(name, origin: name) else { return false }
      attempts[name] = []
    }
    attempts[name]?.append(attempt)
    deadline = min(deadline, attempt.deadline)
    ask()
    return true
  }

  /// The attempts that waited for `name`, which was answered for after so long.
  func take(_ name: String, _ answer: PushMailbox.Resolution) -> [PushAttempt] {
    queue.finished(origin: name, standing: answer.standing)
    asked.remove(name)
    let waiting = attempts.removeValue(forKey: name) ?? []
    if attempts.isEmpty { deadline = .max }
    ask()
    return waiting
  }

  /// The attempts whose time is over, and whether a thread was at their name. The name stays, asked for or in line: its
  /// addresses are there for who comes next.
  func takeLate(_ now: Int64) -> [(attempt: PushAttempt, wasAsked: Bool)] {
    guard now >= deadline else { return [] }
    deadline = .max
    var late: [(attempt: PushAttempt, wasAsked: Bool)] = []
    for (name, waiting) in attempts {
      late += waiting.filter { now >= $0.deadline }.map { ($0, asked.contains(name)) }
      let others = waiting.filter { now < $0.deadline }
      attempts[name] = others
      deadline = others.reduce(deadline) { min($0, $1.deadline) }
    }
    return late
  }

  /// All attempts.
  func takeAll() -> [PushAttempt] {
    defer { attempts = attempts.mapValues { _ in [] } }
    deadline = .max
    return Array(attempts.values.joined())
  }

  /// Asks for nothing any more. A thread that is still in getaddrinfo cannot be called back; it ends by itself when
  /// that returns, and `whenStopped` runs on the last one.
  func stop(_ whenStopped: @escaping @Sendable () -> Void) {
    _ = queue.removeWaiting()
    threads.stop(whenStopped)
  }

  private func ask() {
    while let name = queue.next() {
      asked.insert(name)
      threads.run { [mailbox, resolver] in
        let start = SteadyClock.milliseconds
        do throws(NameResolutionError) {
          let addresses = try resolver(name)
          mailbox.leave(.init(.success(addresses), start: start), of: name)
        } catch {
          mailbox.leave(.init(.failure(error), start: start), of: name)
        }
      }
    }
  }
}
