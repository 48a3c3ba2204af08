internal import EndpointRegistry
internal import PushDelivery
internal import WebPushCrypto

extension WakePipeline {
  /// One request, one answer, one row brought up to date; the answer.
  @discardableResult
  func send(_ wake: PreparedWake) async -> PushAnswer {
    let answer = await answer(to: wake)
    await take(answer, to: wake)
    return answer
  }

  private func take(_ answer: PushAnswer, to wake: PreparedWake) async {
    let target = wake.target
    if let date = answer.date { sightings.keep(date, from: target.origin, at: clock.now()) }
    giveBackPlace(at: target.origin, answered: answer.isAnswered, milliseconds: answer.milliseconds)
    metrics.wakeEnded(wake, answer, at: clock.now())
    log.debug(
      "wake: \(answer.outcome.rawValue) from \(target.origin)",
      ["attempt": "\(wake.attempt)", "device": "\(target.device)"])
    if let until = answer.heldUntil {
      return await putOff(wake, .held, until: steady.now() + max(0, until - clock.now()))
    }
    if answer.outcome == .crowded, wake.purpose != .test {
      return await putOff(wake, .coalesced, until: steady.now() + StackSchedule.retryMilliseconds)
    }
    // An endpoint that is gone is asked no more: the device's next wake waits until it is erased.
    if answer.outcome == .gone { await keep(result(of: wake, answer)) }
    if wake.purpose == .alert { endedAlertWake(to: target.device) }
    // What is not known stays as the row was begun.
    if answer.outcome != .gone, answer.outcome != .unknown { await keep(result(of: wake, answer)) }
  }

  /// The wake did not go out: a pause began while it waited for its turn, or its push server fell silent. Its device is
  /// told when the pause ends, or there is a place, the first time at `time` of the steady clock.
  private func putOff(_ wake: PreparedWake, _ outcome: AttemptOutcome, until time: Int64) async {
    let target = wake.target
    await keep(AttemptResult(id: wake.attempt, outcome: outcome, milliseconds: 0))
    switch wake.purpose {
    case .alert:
      endedAlertWake(to: target.device)
      plan(target.stack) { $0.waits(until: time) }
    case .activation:
      add(SingleWake(device: target.device, stack: target.stack, purpose: .activation), at: time)
    case .test: break
    }
  }

  private func endedAlertWake(to device: DeviceID) {
    if let stack = wakesUnderWay.end(device) { plan(stack) { $0.changed() } }
  }

  private func result(of wake: PreparedWake, _ answer: PushAnswer) -> AttemptResult {
    var result = AttemptResult(
      id: wake.attempt, outcome: AttemptOutcome(answer.outcome), status: answer.status, reason: answer.reason,
      milliseconds: answer.milliseconds)
    // A test is merged into nothing: it failed.
    if answer.outcome == .crowded { result.outcome = .network }
    let digest = wake.target.endpointDigest
    if let hold = answer.hold {
      result.hold = .began(
        endpointDigest: digest, until: hold.until, refusals: hold.refusals, originUntil: hold.originUntil)
    } else if answer.outcome == .accepted, let until = wake.target.hold.endpointUntil {
      result.hold = .lifted(endpointDigest: digest, until: until)
    }
    // Where another wake found it so, that one's result erases it.
    if answer.outcome == .gone, let status = answer.status {
      result.erasure = Erasure(
        endpointDigest: digest, generation: wake.target.generation, status: status,
        pushServer: wake.target.origin)
    }
    return result
  }

  /// Puts what came of a wake on disk, with what came of others meanwhile. While the store is busy or full, one call is
  /// made again and again, and the others wait for it.
  private func keep(_ result: AttemptResult) async {
    do throws(RegistryError) {
      try await results.complete(result) { results throws(RegistryError) in
        try await self.keeping { () throws(RegistryError) in
          for erased in try await self.store.completeAttempts(results, at: self.clock.now()) {
            self.log.info(
              "an endpoint is gone, says \(erased.pushServer): erased", ["device": "\(erased.device)"])
          }
        }
      }
    } catch {
      log.error("what came of a wake could not be kept: \(error)", ["attempt": "\(result.id)"])
    }
  }

  /// Writes what came of a wake, again and again for as long as the store is busy or full: a disk may be full for days, and
  /// an endpoint that is gone has to be erased then. What waits is bounded by the wakes that are under way.
  private func keeping(_ write: () async throws(RegistryError) -> Void) async throws(RegistryError) {
    while true {
      do throws(RegistryError) {
        return try await write()
      } catch {
        guard error.isTemporary, !isEnding else { throw error }
        await steady.sleep(steady.now() + StackSchedule.storeMilliseconds)
      }
    }
  }

  private func answer(to wake: PreparedWake) async -> PushAnswer {
    let target = wake.target
    let endpoint = target.subscription.endpoint
    do {
      let message = WakeMessage(
        endpoint: endpoint, topic: Topic(secret: target.topicSecret), ttlSeconds: timing.ttlSeconds,
        authorization: try tokens.authorization(
          for: endpoint.origin, key: target.vapidKey, nowMilliseconds: clock.now()),
        body: try wake.payload.encrypted(receipt: wake.receipt, for: target.subscription.keys),
        endpointDigest: target.endpointDigest, refusals: target.hold.refusals,
        isUrgent: wake.purpose == .test,
        moments: SubscriptionMoments(changed: target.changed, read: target.generation))
      return await sender.send(message)
    } catch {
      // Keys were checked when they came in; what fails here is the machine, and nothing went out.
      return PushAnswer(outcome: .blocked, reason: .notEncrypted)
    }
  }
}

extension PushAnswer {
  /// Whether the push server said anything; nil where it was not asked.
  fileprivate var isAnswered: Bool? {
    switch outcome {
    case .blocked, .held, .crowded, .unknown: nil
    case .network: false
    case .gone: status.map { _ in true }
    case .accepted, .throttled, .unsubscribed, .refused, .oversize, .rejected, .redirected, .server:
      true
    }
  }
}

extension RegistryError {
  /// Whether the same call may succeed a little later.
  var isTemporary: Bool { self == .busy || self == .storageFull }
}
