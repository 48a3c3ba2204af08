internal import CCurl
internal import Dispatch
internal import HTTPClient

/// One of the sender's threads: takes wakes from the mailbox, resolves, sends, and answers. Nothing here blocks but the
/// poll, and nobody else touches what is here.
final class PushSenderLoop {
  private let multi: CurlMulti
  private let policy: AddressPolicy
  private let configuration: PushSenderConfiguration
  private let mailbox: PushMailbox

  private var queue: SendQueue<PushJob>
  private var holds = PushHolds()
  private var gone = GoneEndpoints()
  private var book: AddressBook
  private let resolving: NameResolutions
  private let sockets = ConnectionSockets()
  private let authorities: TrustedAuthorities
  private var transfers: [PushTransfer] = []
  private var free: [Int] = []
  /// When whatever is under way is given up, once the mailbox is closed.
  private var stopAt: Int64?

  init(
    multi: consuming CurlMulti, policy: AddressPolicy, configuration: PushSenderConfiguration,
    mailbox: PushMailbox
  ) {
    self.multi = multi
    self.policy = policy
    self.configuration = configuration
    self.mailbox = mailbox
    book = AddressBook(lifetimeMilliseconds: configuration.addressMilliseconds)
    resolving = NameResolutions(configuration: configuration, mailbox: mailbox)
    queue = SendQueue(limits: configuration.queueLimits)
    authorities = TrustedAuthorities(file: configuration.caFile, lifetime: configuration.authoritiesLifetime)
  }

  /// Works until the mailbox is closed and everything is answered.
  func run() {
    while true {
      readMail()
      while let job = queue.next() { start(job) }
      do throws(CurlFailure) {
        try multi.perform()
      } catch {
        giveUpRunning(.network, reason: error.explanation)
      }
      finishDone()
      let now = SteadyClock.milliseconds
      for late in resolving.takeLate(now) {
        // A name that no thread has come to yet is not at fault, and neither is the wake.
        finish(
          late.attempt,
          late.wasAsked
            ? PushAnswer(unresolved: .timedOut)
            : PushAnswer(outcome: .crowded, reason: NetworkReason.namesCrowded))
      }
      if let stopAt, queue.isEmpty || now >= stopAt { break }
      // What ended made room: nothing is waited for while somebody may start.
      if !queue.hasNext { wait(now) }
    }
    giveUpRunning(.unknown, reason: NetworkReason.stoppedUnderWay.rawValue)
    for job in queue.removeWaiting() {
      job.continuation.resume(
        returning: PushAnswer(outcome: .crowded, reason: NetworkReason.notSentBeforeStop))
    }
    endResolvers()
  }

  // MARK: What came in

  private func readMail() {
    let mail = mailbox.empty()
    if let grace = mail.graceMilliseconds { stopAt = SteadyClock.milliseconds + Int64(grace) }
    for job in mail.jobs
    where !queue.append(job, origin: job.destination.origin, urgent: job.message.isUrgent) {
      job.continuation.resume(returning: PushAnswer(outcome: .crowded, reason: NetworkReason.queueFull))
    }
    guard !mail.resolved.isEmpty else { return }
    let now = SteadyClock.milliseconds
    for (name, answer) in mail.resolved {
      if case .success(let addresses) = answer.result { book.keep(addresses, of: name, at: now) }
      for attempt in resolving.take(name, answer) { resolved(attempt, answer.result, now) }
    }
  }

  private func start(_ job: PushJob) {
    let origin = job.destination.origin
    if let moments = job.message.moments, gone.have(job.message.endpointDigest, changed: moments.changed) {
      queue.finished(origin: origin, standing: nil)
      return job.continuation.resume(returning: PushAnswer(outcome: .gone, reason: NetworkReason.foundGone))
    }
    if let until = holds.end(
      of: job.message.endpointDigest, at: origin, now: configuration.nowMilliseconds())
    {
      queue.finished(origin: origin, standing: .answering)
      return job.continuation.resume(returning: PushAnswer(outcome: .held, heldUntil: until))
    }
    let now = SteadyClock.milliseconds
    let attempt = PushAttempt(
      job: job, startedAt: now, deadline: now + Int64(configuration.totalTimeoutMilliseconds))
    switch job.destination.host {
    case .address(let address): connect(attempt, [address], now)
    case .name(let name):
      if let addresses = book.addresses(of: name, at: now) {
        connect(attempt, addresses, now)
      } else if !resolving.add(attempt, for: name) {
        finish(attempt, PushAnswer(outcome: .crowded, reason: NetworkReason.namesCrowded))
      }
    }
  }

  private func resolved(
    _ attempt: PushAttempt, _ result: Result<[IPAddress], NameResolutionError>, _ now: Int64
  ) {
    switch result {
    case .success(let addresses) where !addresses.isEmpty: connect(attempt, addresses, now)
    case .success: finish(attempt, PushAnswer(unresolved: .noSuchName))
    case .failure(let error): finish(attempt, PushAnswer(unresolved: error))
    }
  }

  // MARK: Transfers

  private func connect(_ attempt: PushAttempt, _ addresses: [IPAddress], _ now: Int64) {
    let destination = attempt.destination
    for address in addresses {
      guard let refusal = policy.refusal(of: address, for: destination) else { continue }
      // One address that is not permitted spoils the name: whoever answers for it plays games.
      let reason = refusal.detail(address: address, origin: destination.origin)
      return finish(attempt, PushAnswer(outcome: .blocked, reason: reason))
    }
    do throws(CurlFailure) {
      let place = try freePlace()
      do throws(CurlFailure) {
        try transfers[place].start(
          attempt, addresses: addresses, remainingMilliseconds: Int(attempt.deadline - now), in: multi)
      } catch {
        free.append(place)
        throw error
      }
    } catch {
      finish(attempt, PushAnswer(outcome: .network, reason: "\(error)"))
    }
  }

  private func freePlace() throws(CurlFailure) -> Int {
    if let place = free.popLast() { return place }
    let place = transfers.count
    transfers.append(
      try PushTransfer(
        place: place, policy: policy, configuration: configuration, sockets: sockets, authorities: authorities
      ))
    return place
  }

  private func finishDone() {
    while let (place, code) = multi.nextDone() {
      let transfer = transfers[place]
      guard let attempt = transfer.attempt else { continue }
      if transfer.metClosedConnection, startAgain(transfer, attempt) { continue }
      let answer = transfer.answer(
        to: attempt, code: code, nowSeconds: configuration.nowMilliseconds() / 1_000)
      _ = transfer.leave(multi)
      free.append(place)
      finish(attempt, answer)
    }
  }

  /// Whether the attempt goes on: the connection that it has now was made for it.
  private func startAgain(_ transfer: PushTransfer, _ attempt: PushAttempt) -> Bool {
    let left = attempt.deadline - SteadyClock.milliseconds
    do throws(CurlFailure) {
      try transfer.startAgain(remainingMilliseconds: Int(left), in: multi)
      return true
    } catch {
      return false
    }
  }

  private func finish(_ attempt: PushAttempt, _ answer: PushAnswer) {
    let milliseconds = SteadyClock.milliseconds - attempt.startedAt
    queue.finished(
      origin: attempt.destination.origin,
      standing: OriginStanding(answered: answer.status != nil, milliseconds: milliseconds))
    var answer = answer
    answer.reason = answer.reason.flatMap { PushReason.printable($0) }
    answer.milliseconds = Int(milliseconds)
    if answer.outcome == .throttled {
      answer.hold = holds.throttled(
        attempt.job.message.endpointDigest, at: attempt.destination.origin, status: answer.status,
        namedSeconds: answer.retryAfterSeconds, refusalsBefore: attempt.job.message.refusals,
        jitter: configuration.jitter(), now: configuration.nowMilliseconds())
    }
    if answer.outcome == .gone, let moments = attempt.job.message.moments {
      gone.found(attempt.job.message.endpointDigest, at: moments.read)
    }
    attempt.job.continuation.resume(returning: answer)
    for job in queue.removeSurplus() {
      job.continuation.resume(returning: PushAnswer(outcome: .crowded, reason: NetworkReason.silentQueueFull))
    }
  }

  private func giveUpRunning(_ outcome: PushOutcome, reason: String) {
    let answer = PushAnswer(outcome: outcome, reason: reason)
    for (place, transfer) in transfers.enumerated() where transfer.attempt != nil {
      guard let attempt = transfer.leave(multi) else { continue }
      free.append(place)
      finish(attempt, answer)
    }
    // Nothing of these has gone out.
    let unsent = PushAnswer(outcome: .crowded, reason: NetworkReason.notSentBeforeStop)
    for attempt in resolving.takeAll() { finish(attempt, outcome == .unknown ? unsent : answer) }
  }

  // MARK: Waiting

  private func wait(_ now: Int64) {
    // Longer than any deadline of ours: libcurl's own timers and wake-ups cut it short.
    let longest: Int64 = 60_000
    let until = min(now + longest, resolving.deadline, stopAt ?? .max)
    do throws(CurlFailure) {
      try multi.poll(milliseconds: Int(until - now))
    } catch {
      // Out of memory, most likely: breathe, and try again.
      DispatchSemaphore(value: 0).wait(milliseconds: 10)
    }
  }

  private func endResolvers() {
    let ended = DispatchSemaphore(value: 0)
    resolving.stop { ended.signal() }
    let left = max(100, (stopAt ?? 0) - SteadyClock.milliseconds)
    ended.wait(milliseconds: Int(left))
  }
}

extension PushAnswer {
  /// The answer of an attempt whose name has no address.
  fileprivate init(unresolved error: NameResolutionError) {
    self.init(outcome: .network, reason: error.detail)
  }
}

extension DispatchSemaphore {
  fileprivate func wait(milliseconds: Int) {
    _ = wait(timeout: .now() + .milliseconds(milliseconds))
  }
}
