internal import EndpointRegistry
internal import PushDelivery
internal import WebPushCrypto

extension WakePipeline {
  /// One request, one answer, one row brought up to date.
  func send(_ wake: PreparedWake) async {
    let target = wake.target
    let answer = await answer(to: target, receipt: wake.receipt)
    if wake.followsAlerts, let stack = devicesUnderWay.end(target.device) { plan(stack) { $0.changed() } }
    log.debug(
      "attempt \(wake.attempt) device \(target.device): \(answer.outcome.rawValue) from \(target.subscription.endpoint.origin)"
    )
    // What is not known stays as the row was begun.
    guard answer.outcome != .unknown else { return }
    let result = AttemptResult(
      id: wake.attempt, outcome: AttemptOutcome(answer.outcome), status: answer.status, reason: answer.reason,
      milliseconds: answer.milliseconds)
    do throws(RegistryError) {
      try await store.completeAttempts([result], at: clock.now())
    } catch {
      log.error("what came of attempt \(wake.attempt) could not be kept: \(error)")
    }
    if answer.outcome == .gone { await erase(target, status: answer.status ?? goneStatus) }
  }

  private func answer(to target: WakeTarget, receipt: String) async -> PushAnswer {
    let payload = WakePayload(
      stack: target.stack, catalogueVersion: target.catalogueVersion, receipt: receipt)
    let endpoint = target.subscription.endpoint
    do {
      let message = WakeMessage(
        endpoint: endpoint, topic: Topic(secret: target.topicSecret), ttlSeconds: timing.ttlSeconds,
        authorization: try tokens.authorization(
          for: endpoint.origin, key: target.vapidKey, nowMilliseconds: clock.now()),
        body: try payload.encrypted(for: target.subscription.keys))
      return await sender.send(message)
    } catch {
      // Keys were checked when they came in; what fails here is the machine, and nothing went out.
      return PushAnswer(outcome: .blocked, reason: "the wake could not be encrypted or signed")
    }
  }

  private func erase(_ target: WakeTarget, status: Int) async {
    let origin = target.subscription.endpoint.origin
    do throws(RegistryError) {
      let erased = try await store.erase(
        endpointDigest: target.endpointDigest, unchangedSince: target.generation, status: status,
        pushServer: origin, at: clock.now())
      for device in erased {
        log.info("\(origin) says that the endpoint of device \(device) is gone: erased")
      }
    } catch {
      log.error("the endpoint of device \(target.device), gone at \(origin), could not be erased: \(error)")
    }
  }
}

/// What an answer of "gone" is told as where no number came with it (RFC 8030 §7.3).
private let goneStatus = 410
