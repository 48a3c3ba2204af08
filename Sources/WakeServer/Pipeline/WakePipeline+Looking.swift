internal import CryptoPrimitives
internal import EndpointRegistry
internal import KindCatalogue
internal import WebPushCrypto

extension WakePipeline {
  /// What one page of devices came to.
  private struct Page {
    var decisions: [(PendingWake, WakeDecision)] = []
    var sends: [(index: Int, target: WakeTarget, receipt: String)] = []
  }

  private var rules: WakeRules {
    WakeRules(
      windowMilliseconds: Int64(timing.windowSeconds) * 1_000,
      freshMilliseconds: Int64(max(timing.ttlSeconds, Self.freshSecondsMinimum)) * 1_000)
  }

  /// Looks once at the devices of a stack that are to be told of something, and wakes those that may be.
  func look(at stack: StackID, _ ready: AsyncStream<PreparedWake>.Continuation) async {
    var look = StackSchedule.Look()
    var window: Int64 = 0
    do throws(RegistryError) {
      var after: DeviceID?
      var newest: AlertID?
      repeat {
        let at = clock.now()
        let page = try await store.pendingWakes(
          of: stack, rules: rules, after: after, limit: Self.devicesPerPage, at: at)
        window = page.windowMilliseconds
        // Later pages may have seen more, which the first one's devices have yet to be told of.
        newest = newest ?? page.newest
        look.rules = look.rules ?? page.rules
        look.kinds.formUnion(page.kinds)
        let decided = decide(on: page, of: stack)
        for (pending, _) in decided.decisions where pending.due != nil {
          guard let ends = pending.windowEndsAt else { continue }
          let inSteadyTime = steady.now() + ends - at
          look.nextWindowEnds = min(look.nextWindowEnds ?? .max, inSteadyTime)
        }
        look.sent += try await begin(decided, of: stack, completing: page.next == nil ? newest : nil, ready)
        after = page.next
      } while after != nil && !isEnding
    } catch .notFound {
      // The stack was removed meanwhile.
    } catch {
      look.failed = true
      log.error("the devices of stack \(stack) could not be looked at, for whom to wake: \(error)")
    }
    plan(stack) { $0.ended(look, window: window, at: self.steady.now()) }
  }

  private func decide(on page: PendingWakePage, of stack: StackID) -> Page {
    var decided = Page()
    for pending in page.entries {
      var decision = WakeDecision.pass
      if pending.isFaulty {
        warnOfFaulty(pending.device)
      } else if pending.due != nil {
        decision = .wait(.coalesced)
        if let target = pending.target, !devicesUnderWay.holds(pending.device, of: stack) {
          let receipt = Base64URL.encode(random(Self.receiptOctets))
          decision = .send(receipt: receipt)
          decided.sends.append((decided.decisions.count, target, receipt))
        }
      }
      decided.decisions.append((pending, decision))
    }
    return decided
  }

  /// Puts a page's rows on disk, and hands over what has to go out: nothing of it has gone out before. How many.
  private func begin(
    _ page: Page, of stack: StackID, completing: AlertID?, _ ready: AsyncStream<PreparedWake>.Continuation
  ) async throws(RegistryError) -> Int {
    let attempts = try await store.settle(page.decisions, of: stack, completing: completing, at: clock.now())
    var sent = 0
    for send in page.sends {
      guard let attempt = attempts[send.index] else { continue }
      devicesUnderWay.begin(send.target.device)
      await underWay.take()
      ready.yield(
        PreparedWake(attempt: attempt, target: send.target, receipt: send.receipt, followsAlerts: true))
      sent += 1
    }
    return sent
  }

  /// The row of a wake to one device, on disk; nil where there is nobody to wake.
  func prepare(_ single: SingleWake) async throws(RegistryError) -> PreparedWake? {
    let found: WakeTarget?
    do throws(RegistryError) {
      found = try await store.wakeTarget(single.device)
    } catch .sealBroken {
      warnOfFaulty(single.device)
      return nil
    }
    guard let target = found else { return nil }
    let receipt = Base64URL.encode(random(Self.receiptOctets))
    let row = NewAttempt(
      stack: single.stack, device: single.device, receipt: receipt,
      pushServer: target.subscription.endpoint.origin, purpose: single.purpose)
    // An activation happens once, however often it was asked for.
    let begun =
      single.purpose == .activation
      ? try await store.beginActivation(row, at: clock.now())
      : try await store.beginAttempts([row], at: clock.now()).first
    guard let attempt = begun else { return nil }
    return PreparedWake(attempt: attempt, target: target, receipt: receipt, followsAlerts: false)
  }

  private func warnOfFaulty(_ device: DeviceID) {
    log.warning("device \(device) cannot be woken: its row cannot be read; it must register again")
  }
}
