package import CryptoPrimitives
package import EndpointRegistry
package import KindCatalogue
package import PushDelivery
internal import Synchronization

/// The way from a record to the nudge: decisions and rows on disk first, then one request a device, then what came of
/// it.
///
/// Nothing is sent twice: an attempt is made once, whatever its answer, and there is no queue to retry from. What a
/// device is still to be told of is in the store alone, so that a process that dies loses none of it.
package final class WakePipeline: Nudge {
  /// Activation and test wakes that may wait. One beyond is dropped: the app reads without it too.
  static let waitingSingles = 16_384
  /// Stacks whose devices are looked at at once: what fills the store's group commits.
  static let looksAtOnce = 64
  /// Devices on one page of a look: one read and one commit for so many.
  static let devicesPerPage = 256
  /// Requests that wait or run, in all: half of what the sender lets wait, so that it never refuses one.
  static let sendsUnderWay = 16_384
  /// Between two looks at whether another process changed when somebody may be woken: the contract gives a second.
  static let rulesCheck = Duration.milliseconds(500)
  /// An alert is worth a wake for an hour, or for the TTL where that is longer (wire contract).
  static let freshSecondsMinimum = 3_600

  let store: any WakeStore
  let sender: PushSender
  let tokens: VAPIDTokenCache
  let timing: WakeTiming
  let clock: WallClock
  let steady: SteadyTime
  let random: RandomOctets
  let log: Log
  let metrics: ServiceMetrics
  let underWay = AsyncSemaphore(places: sendsUnderWay)
  let wakesUnderWay = WakesUnderWay()
  let results = ResultCollector()
  /// What push servers last said of the time.
  let sightings = ClockSightings()

  let clockSteps: Mutex<ClockSteps>
  private let schedules = Mutex<[StackID: StackSchedule]>([:])
  private let tasks: AsyncStream<Work>
  let work: AsyncStream<Work>.Continuation
  /// Activation and test wakes that wait; a device needs no second one of a kind.
  /// Each with whether it waits for a time to come: one that may go at once does not wait for that.
  private let singles = Mutex<[SingleWake: Bool]>([:])
  /// Whether what waits is left undone.
  private let isAbandoned = Atomic(false)
  /// What sends, once it runs.
  private let sending = Mutex<Task<Void, Never>?>(nil)

  /// What the pipeline does next.
  enum Work: Sendable {
    case look(StackID)
    case comeBack(StackID, at: Int64)
    case single(SingleWake)
    case singleLater(SingleWake, at: Int64)
    /// What the last process owed could not be read yet.
    case resumeLater(at: Int64)
  }

  package init(
    store: any WakeStore, sender: PushSender, tokens: VAPIDTokenCache, timing: WakeTiming,
    clock: WallClock, steady: SteadyTime, random: RandomOctets, log: Log,
    metrics: ServiceMetrics = ServiceMetrics()
  ) {
    self.store = store
    self.sender = sender
    self.tokens = tokens
    self.timing = timing
    self.clock = clock
    self.steady = steady
    self.random = random
    self.log = log
    self.metrics = metrics
    clockSteps = Mutex(ClockSteps(wall: clock.now(), steady: steady.now()))
    // Bounded by its writers: a stack has one look or one time to come back, singles are counted until they are done.
    (tasks, work) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  package func alertRecorded(_ kind: Kind, of stack: StackID) {
    plan(stack) { $0.alert(kind, at: self.steady.now()) }
  }

  package func subscriptionChanged(_ device: DeviceID, of stack: StackID) {
    add(SingleWake(device: device, stack: stack, purpose: .activation))
    devicesChanged(of: stack)
  }

  package func devicesChanged(of stack: StackID) {
    plan(stack) { $0.loosened() }
  }

  package func testAsked(_ device: DeviceID, of stack: StackID) {
    add(SingleWake(device: device, stack: stack, purpose: .test))
  }

  /// Wakes one device now and tells what came of it; nil where it has no subscription.
  func test(_ device: DeviceID, of stack: StackID) async throws(RegistryError) -> AttemptID? {
    let single = SingleWake(device: device, stack: stack, purpose: .test)
    switch try await prepare(single, urgent: true) {
    case .nobody, .crowded: return nil
    case .held(_, let attempt): return attempt
    case .ready(let wake):
      await send(wake)
      return wake.attempt
    }
  }

  /// Works until ``finish()``, then ends when the last request has. Begins with the stacks in which somebody was not
  /// woken before the last process ended.
  package func run() async {
    let (wakes, ready) = AsyncStream<PreparedWake>.makeStream()
    let sending = Task { await self.send(all: wakes) }
    self.sending.withLock { $0 = sending }
    await resume()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watchRules() }
      let places = AsyncSemaphore(places: Self.looksAtOnce)
      for await next in tasks where !isAbandoned.load(ordering: .relaxed) {
        switch next {
        case .comeBack(let stack, let time):
          group.addTask { await self.comeBack(to: stack, at: time) }
        case .look(let stack):
          await places.take()
          group.addTask {
            await self.look(at: stack, ready)
            places.giveBack()
          }
        case .single(let single):
          await places.take()
          group.addTask {
            await self.perform(single, ready)
            places.giveBack()
          }
        case .singleLater(let single, let time):
          group.addTask {
            await self.steady.sleep(time)
            if !Task.isCancelled { self.work.yield(.single(single)) }
          }
        case .resumeLater(let time):
          group.addTask {
            await self.steady.sleep(time)
            if !Task.isCancelled { await self.resume() }
          }
        }
      }
      // Whoever waits for a window's end is in the store, for the next process.
      group.cancelAll()
    }
    ready.finish()
    await sending.value
  }

  /// Nothing new is taken any more; what waits is still done, as far as no window is waited for.
  package func finish() { work.finish() }

  /// Nothing new is taken any more, and what waits is left: it is in the store.
  package func abandon() {
    isAbandoned.store(true, ordering: .relaxed)
    finish()
    // Requests go on; who waits to write down once more what came of one does not.
    sending.withLock { $0 }?.cancel()
  }

  /// What waits: stacks to be looked at and single wakes; wakes without an answer; answers that are not kept yet.
  package var waitingCounts: (pipeline: Int, sender: Int, results: Int) {
    let stacks = schedules.withLock { $0.values.count(where: \.hasWork) }
    let (taken, queued) = underWay.counts
    return (stacks + singles.withLock(\.count) + queued, taken, results.waitingCount)
  }

  var isEnding: Bool { isAbandoned.load(ordering: .relaxed) }

  /// Applies a rule of a stack's schedule, and does what it says.
  func plan(_ stack: StackID, _ rule: (inout StackSchedule) -> StackSchedule.Action) {
    let action = schedules.withLock { schedules in
      let action = rule(&schedules[stack, default: StackSchedule()])
      if schedules[stack]?.isForgettable(at: steady.now()) == true { schedules[stack] = nil }
      return action
    }
    switch action {
    case .nothing: break
    case .look: work.yield(.look(stack))
    case .comeBack(let time): work.yield(.comeBack(stack, at: time))
    }
  }

  private func resume() async {
    do throws(RegistryError) {
      for stack in try await store.stacksToNudge() { plan(stack) { $0.changed() } }
      for owed in try await store.activationsOwed(limit: Self.waitingSingles) {
        add(SingleWake(device: owed.device, stack: owed.stack, purpose: .activation))
      }
    } catch {
      log.error("whom nobody has woken since the last start could not be read: \(error)")
      work.yield(.resumeLater(at: steady.now() + StackSchedule.storeMilliseconds))
    }
  }

  /// Looks anew at stacks for which another process changed a window or mutes while something waits: until cancelled.
  private func watchRules() async {
    while (try? await Task.sleep(for: Self.rulesCheck)) != nil {
      let now = steady.now()
      let stacks = schedules.withLock { $0.filter { $0.value.goesByRules(at: now) }.map(\.key) }
      guard !stacks.isEmpty, let rules = try? await store.rules(of: stacks) else { continue }
      for (stack, count) in rules { plan(stack) { $0.rulesAre(count) } }
    }
  }

  private func comeBack(to stack: StackID, at time: Int64) async {
    await steady.sleep(time)
    guard !Task.isCancelled else { return }
    plan(stack) { $0.cameBack(at: self.steady.now()) }
  }

  /// Lets a wake to one device wait for its turn, which comes at once or at the time `at` of the steady clock.
  func add(_ single: SingleWake, at: Int64? = nil) {
    let (isThere, isFull) = singles.withLock { singles in
      let isLater = singles[single]
      if let isLater, !isLater || at != nil { return (true, false) }
      guard isLater != nil || singles.count < Self.waitingSingles else { return (false, true) }
      singles[single] = at != nil
      return (false, false)
    }
    guard !isThere else { return }
    guard !isFull else {
      log.warning("too many wakes are waiting: one of device \(single.device) was dropped")
      return
    }
    work.yield(at.map { .singleLater(single, at: $0) } ?? .single(single))
  }

  private func perform(_ single: SingleWake, _ ready: AsyncStream<PreparedWake>.Continuation) async {
    var again: Int64?
    do throws(RegistryError) {
      switch try await prepare(single) {
      case .nobody: break
      case .held(let until, _):
        // An activation is owed; a test is over.
        if single.purpose == .activation { again = steady.now() + max(0, until - clock.now()) }
      case .crowded: again = steady.now() + StackSchedule.retryMilliseconds
      case .ready(let wake):
        await underWay.take()
        ready.yield(wake)
      }
    } catch {
      log.error("the \(single.purpose.rawValue) wake of device \(single.device) was not sent: \(error)")
      if error.isTemporary { again = steady.now() + StackSchedule.storeMilliseconds }
    }
    singles.withLock { $0[single] = again == nil ? nil : true }
    if let again { work.yield(.singleLater(single, at: again)) }
  }

  private func send(all wakes: AsyncStream<PreparedWake>) async {
    await withDiscardingTaskGroup { group in
      for await wake in wakes {
        group.addTask {
          await self.send(wake)
          self.underWay.giveBack()
        }
      }
    }
  }
}
