internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// What a companion may know of its own registration: the same way, without what the network or the operator's
  /// settings look like from inside. Whatever keeps its push server from being reached looks the same, and takes the
  /// same time.
  func examineForCompanion(_ device: Device, waiting seconds: Int, _ examination: Examination) async {
    let watch = Stopwatch()
    let registration = RegistrationCheck(device: device, at: clock.now()).finding
    guard registration.verdict != .fault else {
      return end(with: CompanionWords.registration(device), examination)
    }
    do throws(RegistryError) {
      switch try await pipeline.tryWake(device.id, of: device.stack) {
      case .nobody: end(with: CompanionWords.registration(device), examination)
      case .held(let until):
        examination.add(.ok(.registration, "a subscription is registered"))
        end(with: CompanionWords.held(until), examination)
      case .crowded:
        examination.add(.ok(.registration, "a subscription is registered"))
        await endUnreached(watch, examination)
      case .sent(let attempt, let answer):
        examination.add(.ok(.registration, "a subscription is registered"))
        guard let status = answer.status else {
          if let until = answer.heldUntil { return end(with: CompanionWords.held(until), examination) }
          return await endUnreached(watch, examination)
        }
        examination.add(.ok(.reach, "the push server was reached"))
        examination.add(.ok(.wake, "sent"))
        let said = CompanionWords.answer(AttemptOutcome(answer.outcome), status: status)
        guard said.verdict != .fault else { return end(with: said, examination) }
        examination.add(said)
        examination.add(
          try await ReceiptCheck(store: store, seconds: seconds, pushServer: device.pushServer)
            .finding(of: attempt, to: device.id, whileWanted: examination.isWanted))
      }
    } catch {
      end(with: CompanionWords.unavailable, examination)
    }
  }

  private static let companionWay: [DoctorLink] = [.registration, .reach, .wake, .answer, .receipt]

  private func endUnreached(_ watch: Stopwatch, _ examination: Examination) async {
    let left = settings.unreachedMilliseconds - watch.milliseconds
    if left > 0 { try? await Task.sleep(for: .milliseconds(left)) }
    end(with: CompanionWords.unreached, examination)
  }

  private func end(with broken: DoctorFinding, _ examination: Examination) {
    examination.add(broken)
    guard let index = Self.companionWay.firstIndex(of: broken.link) else { return }
    examination.skip(Array(Self.companionWay[(index + 1)...]), after: broken.link)
  }
}
