internal import CryptoPrimitives
internal import EndpointRegistry
internal import KindCatalogue
internal import PushDelivery
internal import WebPushCrypto

extension WakePipeline {
  /// Wakes every device that a job means, page by page.
  ///
  /// - Returns: the attempts that went out, in the order in which they began.
  func fanOut(_ job: WakeJob) async throws(RegistryError) -> [AttemptID] {
    var failure: RegistryError?
    let sent = await withTaskGroup(of: Void.self) { group in
      var sent: [AttemptID] = []
      var underWay = 0
      var after: DeviceID?
      do throws(RegistryError) {
        repeat {
          let targets = try await store.wakeTargets(
            of: job.stack, kind: job.kind, device: job.device, after: after, limit: Self.targetsPerPage)
          after = targets.count == Self.targetsPerPage ? targets.last?.device : nil
          for (attempt, wake, receipt) in try await begin(job, targets) {
            if underWay == Self.sendsPerJob { await group.next() } else { underWay += 1 }
            group.addTask { await self.send(attempt, wake, receipt) }
            sent.append(attempt)
          }
        } while after != nil
      } catch {
        failure = error
      }
      return sent
    }
    if let failure { throw failure }
    return sent
  }

  /// Puts the rows of a page on disk: nothing has gone out before.
  private func begin(_ job: WakeJob, _ targets: [WakeEntry]) async throws(RegistryError)
    -> [(AttemptID, WakeTarget, String)]
  {
    var ready: [(WakeTarget, String)] = []
    var rows: [NewAttempt] = []
    var unsent: [NewAttempt] = []
    for target in targets {
      switch target {
      case .ready(let wake):
        let receipt = Base64URL.encode(random(Self.receiptOctets))
        ready.append((wake, receipt))
        rows.append(
          job.attempt(
            for: wake.device, receipt: receipt, pushServer: wake.subscription.endpoint.origin))
      case .muted(let device):
        unsent.append(job.attempt(for: device, receipt: nil, pushServer: nil, outcome: .muted))
      case .faulty(let device):
        log.warning("device \(device) cannot be woken: its row cannot be read; it must register again")
      }
    }
    guard !rows.isEmpty || !unsent.isEmpty else { return [] }
    let attempts = try await store.beginAttempts(rows + unsent, at: clock.now())
    return zip(attempts, ready).map { ($0, $1.0, $1.1) }
  }

  /// One request, one answer, one row brought up to date.
  private func send(_ attempt: AttemptID, _ target: WakeTarget, _ receipt: String) async {
    let answer = await answer(to: target, receipt: receipt)
    log.debug(
      "attempt \(attempt) device \(target.device): \(answer.outcome.rawValue) from \(target.subscription.endpoint.origin)"
    )
    let result = AttemptResult(
      id: attempt, outcome: AttemptOutcome(answer.outcome), status: answer.status, reason: answer.reason,
      milliseconds: answer.milliseconds)
    do throws(RegistryError) {
      if answer.outcome == .gone { try await erase(target, status: answer.status ?? goneStatus) }
      try await store.completeAttempts([result], at: clock.now())
    } catch {
      log.error("what came of attempt \(attempt) could not be kept: \(error)")
    }
  }

  private func answer(to target: WakeTarget, receipt: String) async -> PushAnswer {
    let payload = WakePayload(
      stack: target.stack, catalogueVersion: target.catalogueVersion, receipt: receipt)
    let endpoint = target.subscription.endpoint
    do {
      let message = WakeMessage(
        endpoint: endpoint, topic: Topic(secret: target.topicSecret), ttlSeconds: ttlSeconds,
        authorization: try tokens.authorization(
          for: endpoint.origin, key: target.vapidKey, nowMilliseconds: clock.now()),
        body: try payload.encrypted(for: target.subscription.keys))
      return await sender.send(message)
    } catch {
      // Keys were checked when they came in; what fails here is the machine, and nothing went out.
      return PushAnswer(outcome: .blocked, reason: "the wake could not be encrypted or signed")
    }
  }

  private func erase(_ target: WakeTarget, status: Int) async throws(RegistryError) {
    let erased = try await store.erase(
      endpointDigest: target.endpointDigest, unchangedSince: target.generation, status: status,
      pushServer: target.subscription.endpoint.origin, at: clock.now())
    for device in erased {
      log.info(
        "\(target.subscription.endpoint.origin) says that the endpoint of device \(device) is gone: erased")
    }
  }
}

/// What an answer of "gone" is told as where no number came with it (RFC 8030 §7.3).
private let goneStatus = 410
