internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// What a companion may know of its own registration: the same way, without what the network or the operator's
  /// settings look like from inside. Whatever keeps its push server from being reached looks the same, and takes the
  /// same time.
  func examineForCompanion(_ device: Device, waiting seconds: Int, _ examination: Examination) async {
    let watch = Stopwatch()
    guard RegistrationCheck(device: device, at: clock.now()).finding.verdict != .fault else {
      return end(with: CompanionWords.registration(device), for: device, examination)
    }
    switch await trial(of: device) {
    case .success(.nobody): end(with: CompanionWords.registration(device), for: device, examination)
    case .success(.held(let until)): end(with: CompanionWords.held(until), for: device, examination)
    case .success(.crowded), nil: await endUnreached(watch, for: device, examination)
    case .success(.sent(let attempt, let answer)):
      guard let status = answer.status else {
        if let until = answer.heldUntil {
          return end(with: CompanionWords.held(until), for: device, examination)
        }
        return await endUnreached(watch, for: device, examination)
      }
      let said = CompanionWords.answer(AttemptOutcome(answer.outcome), status: status)
      examination.add([CompanionWords.registered(device), CompanionWords.reached, .ok(.wake, "sent")])
      guard said.verdict != .fault else { return end(with: said, for: device, examination) }
      examination.add(said)
      let check = ReceiptCheck(
        store: store, seconds: seconds, pushServer: device.pushServer, kind: answer.server)
      do throws(RegistryError) {
        examination.add(
          try await check.finding(of: attempt, to: device.id, whileWanted: examination.isWanted))
      } catch {
        end(with: CompanionWords.unavailable(.receipt), for: device, examination)
      }
    case .failure: end(with: CompanionWords.unavailable(.wake), for: device, examination)
    }
  }

  private static let companionWay: [DoctorLink] = [.registration, .reach, .wake, .answer, .receipt]

  /// What came of a test wake; nil where that is not known in the time after which a push server counts as not reached:
  /// behind another wake to it this one waits for its turn. It goes on then.
  private func trial(of device: Device) async -> Result<WakePipeline.Trial, RegistryError>? {
    await withCheckedContinuation { continuation in
      let first = FirstAnswer(continuation)
      Task {
        do throws(RegistryError) {
          first.give(.success(try await pipeline.tryWake(device.id, of: device.stack)))
        } catch {
          first.give(.failure(error))
        }
      }
      Task {
        try? await Task.sleep(for: .milliseconds(settings.unreachedMilliseconds))
        first.give(nil)
      }
    }
  }

  private func endUnreached(_ watch: Stopwatch, for device: Device, _ examination: Examination) async {
    let left = settings.unreachedMilliseconds - watch.milliseconds
    if left > 0 { try? await Task.sleep(for: .milliseconds(left)) }
    end(with: CompanionWords.unreached, for: device, examination)
  }

  /// Adds the broken link, and every other one that nothing was said of yet.
  private func end(with broken: DoctorFinding, for device: Device, _ examination: Examination) {
    for link in Self.companionWay where !examination.findings.contains(where: { $0.link == link }) {
      switch link {
      case broken.link: examination.add(broken)
      case .registration: examination.add(CompanionWords.registered(device))
      default: examination.skip([link], after: broken.link)
      }
    }
  }
}
