internal import EndpointRegistry
internal import KindCatalogue
internal import Synchronization
internal import WebPushCrypto

extension WakePipeline {
  /// What one page of devices came to.
  private struct Page {
    var decisions: [(PendingWake, WakeDecision)] = []
    var sends: [(index: Int, target: WakeTarget, receipt: String)] = []
    /// Whether it has devices that were left undecided, as their push server has enough to answer.
    var isPartial = false
  }

  /// A time of day that was set forward makes no alert stale that waits.
  private var rules: WakeRules {
    let fresh = Int64(max(timing.ttlSeconds, Self.freshSecondsMinimum)) * 1_000
    return WakeRules(
      windowMilliseconds: Int64(timing.windowSeconds) * 1_000,
      freshMilliseconds: fresh
        + clockSteps.withLock { $0.allowance(wall: clock.now(), steady: steady.now(), fresh: fresh) })
  }

  /// Looks once at the devices of a stack that are to be told of something, and wakes those that may be.
  func look(at stack: StackID, _ ready: AsyncStream<PreparedWake>.Continuation) async {
    var look = StackSchedule.Look()
    var window: Int64 = 0
    do throws(RegistryError) {
      var after: DeviceID?
      var newest: AlertID?
      var isPartial = false
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
        isPartial = isPartial || decided.isPartial
        for (pending, _) in decided.decisions where pending.due != nil {
          guard let ends = [pending.windowEndsAt, pending.heldUntil].compactMap({ $0 }).max() else {
            continue
          }
          let inSteadyTime = steady.now() + ends - at
          look.nextWindowEnds = min(look.nextWindowEnds ?? .max, inSteadyTime)
        }
        look.sent += try await begin(
          decided, of: stack, completing: page.next == nil && !isPartial ? newest : nil, ready)
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
    var receipts = ReceiptStock(random, atOnce: page.entries.count)
    for pending in page.entries {
      var decision = WakeDecision.pass
      if pending.due != nil {
        decision = .wait(pending.heldUntil == nil ? .coalesced : .held)
        if pending.isReady, !wakesUnderWay.holds(pending.device, of: stack) {
          let origin = pending.pushServer
          guard wakesUnderWay.takePlace(at: origin, for: stack, now: steady.now()) else {
            decided.isPartial = true
            continue
          }
          if let target = pending.target {
            let receipt = receipts.next()
            decision = .send(receipt: receipt)
            decided.sends.append((decided.decisions.count, target, receipt))
          } else {
            giveBackPlace(at: origin, answered: nil)
            warnOfFaulty(pending.device)
            decision = .pass
          }
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
    let attempts: [AttemptID?]
    do throws(RegistryError) {
      attempts = try await store.settle(page.decisions, of: stack, completing: completing, at: clock.now())
    } catch {
      for send in page.sends { giveBackPlace(at: send.target.origin, answered: nil) }
      throw error
    }
    metrics.settled(page.decisions)
    guard let first = page.sends.first?.target else { return 0 }
    let payload = WakePayload(stack: stack, catalogueVersion: first.catalogueVersion)
    var sent = 0
    for send in page.sends {
      guard let attempt = attempts[send.index] else {
        giveBackPlace(at: send.target.origin, answered: nil)
        continue
      }
      wakesUnderWay.begin(send.target.device)
      await underWay.take()
      let pending = page.decisions[send.index].0
      ready.yield(
        PreparedWake(
          attempt: attempt, target: send.target, receipt: send.receipt, payload: payload, purpose: .alert,
          raisedAt: pending.dueAt, waited: pending.hasWaited))
      sent += 1
    }
    return sent
  }

  /// Gives a place at a push server back, and looks at the stacks again that have more for it.
  func giveBackPlace(at origin: String, answered: Bool?, milliseconds: Int = 0) {
    let stacks = wakesUnderWay.giveBack(
      at: origin, answered: answered, milliseconds: milliseconds, now: steady.now())
    for stack in stacks {
      plan(stack) { $0.changed() }
    }
  }

  /// Puts the row of a wake to one device on disk, which takes a place at its push server.
  func prepare(
    _ single: SingleWake, urgent: Bool = false
  ) async throws(RegistryError) -> SingleWake.Preparation {
    let found: WakeTarget?
    do throws(RegistryError) {
      found = try await store.wakeTarget(single.device)
    } catch .sealBroken {
      warnOfFaulty(single.device)
      return .nobody
    }
    guard let target = found else { return .nobody }
    let at = clock.now()
    var row = NewAttempt(
      stack: single.stack, device: single.device, pushServer: target.origin, purpose: single.purpose)
    if let until = target.hold.end(at: at) {
      row.outcome = .held
      let attempt = try await store.beginAttempts([row], at: at).first
      metrics.wakeEnded(.held, at: target.origin)
      return .held(until: until, attempt)
    }
    guard wakesUnderWay.takePlace(at: target.origin, for: nil, urgent: urgent, now: steady.now()) else {
      return .crowded
    }
    var receipts = ReceiptStock(random, atOnce: 1)
    let receipt = receipts.next()
    row.receipt = receipt
    do throws(RegistryError) {
      // An activation happens once, however often it was asked for.
      let begun =
        single.purpose == .activation
        ? try await store.beginActivation(row, at: at) : try await store.beginAttempts([row], at: at).first
      if let begun {
        let payload = WakePayload(stack: target.stack, catalogueVersion: target.catalogueVersion)
        return .ready(
          PreparedWake(
            attempt: begun, target: target, receipt: receipt, payload: payload, purpose: single.purpose))
      }
    } catch {
      giveBackPlace(at: target.origin, answered: nil)
      throw error
    }
    giveBackPlace(at: target.origin, answered: nil)
    return .nobody
  }

  private func warnOfFaulty(_ device: DeviceID) {
    log.warning("device \(device) cannot be woken: its row cannot be read; it must register again")
  }
}

extension WakeTarget {
  /// The push server's origin.
  var origin: String { subscription.endpoint.origin }
}
