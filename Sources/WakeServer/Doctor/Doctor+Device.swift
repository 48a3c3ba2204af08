internal import EndpointRegistry
internal import PushDelivery
internal import WebPushCrypto

extension Doctor {
  /// The links behind the registration, in the order in which they are looked at.
  private static let way = PushServerReach.links + [.wake, .clock, .answer, .receipt]

  /// The whole chain to one device, with one real wake at most. `seconds` are waited for its receipt.
  func examine(_ device: Device, waiting seconds: Int, _ examination: Examination) async {
    await examineService(examination)
    for link in [DoctorLink.configuration, .store] where examination.isBroken(link) {
      return examination.skip([.registration] + Self.way, after: link)
    }
    let registering = Stopwatch()
    let registration = RegistrationCheck(device: device, at: clock.now()).finding
    guard registration.verdict != .fault else {
      return end(with: registration.took(registering.milliseconds), examination)
    }
    do throws(RegistryError) {
      guard let target = try await store.wakeTarget(device.id) else {
        return end(with: RegistrationCheck.unreadable, examination)
      }
      examination.add(registration.took(registering.milliseconds))
      // A test wake goes past them.
      if let stack = try await store.stack(device.stack) {
        let rules = WakeRulesCheck(
          device: device, stack: stack, windowSeconds: pipeline.timing.windowSeconds)
        examination.add(rules.findings)
      }
      let endpoint = target.subscription.endpoint
      let reach = await PushServerReach(policy: policy, settings: settings)
        .findings(endpoint.url, origin: endpoint.origin)
      if let broken = reach.last, broken.verdict == .fault {
        examination.add(reach.dropLast())
        return end(with: broken, examination)
      }
      examination.add(reach)
      try await wake(device, at: endpoint.origin, waiting: seconds, examination)
    } catch .sealBroken {
      end(with: RegistrationCheck.unreadable, examination)
    } catch {
      end(with: StoreFault(error).finding, examination)
    }
  }

  private func wake(
    _ device: Device, at origin: String, waiting seconds: Int, _ examination: Examination
  ) async throws(RegistryError) {
    let watch = Stopwatch()
    switch try await pipeline.tryWake(device.id, of: device.stack) {
    case .nobody: end(with: RegistrationCheck.unreadable, examination)
    case .crowded: end(with: AnswerCheck.crowded.about(origin), examination)
    case .held(let until):
      let why = try await PauseCheck(store: store, at: clock.now()).why(
        device.id, of: device.stack, at: origin)
      end(with: AnswerCheck.held(until: until, why).about(origin), examination)
    case .sent(let attempt, let answer):
      let found = AnswerCheck(answer: answer, origin: origin, at: clock.now()).findings
      let preparing = max(0, watch.milliseconds - answer.milliseconds)
      examination.add(found.map { ($0.link == .wake ? $0.took(preparing) : $0).about(origin) })
      guard answer.outcome == .accepted else {
        return examination.skip(after(found.last?.link ?? .wake), after: .answer)
      }
      let check = ReceiptCheck(store: store, seconds: seconds, pushServer: origin, kind: answer.server)
      examination.add(try await receipt(check, of: attempt, device, examination).about(origin))
    }
  }

  /// No receipt is no fault of its own where phones cannot reach the service to hand it back.
  private func receipt(
    _ check: ReceiptCheck, of attempt: AttemptID, _ device: Device, _ examination: Examination
  ) async throws(RegistryError) -> DoctorFinding {
    let finding = try await check.finding(of: attempt, to: device.id, whileWanted: examination.isWanted)
    for link in [DoctorLink.publicURL, .certificate]
    where finding.verdict == .fault && examination.isBroken(link) {
      return .skipped(
        .receipt, "\(finding.seen): the \(link.title) comes first, by which phones hand it back")
    }
    return finding
  }

  /// Adds a broken link, and passes over what comes after it.
  private func end(with broken: DoctorFinding, _ examination: Examination) {
    examination.add(broken)
    examination.skip(after(broken.link), after: broken.link)
  }

  private func after(_ link: DoctorLink) -> [DoctorLink] {
    guard let index = Self.way.firstIndex(of: link) else { return Self.way }
    return Array(Self.way[(index + 1)...])
  }
}
