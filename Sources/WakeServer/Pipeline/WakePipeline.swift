package import CryptoPrimitives
package import EndpointRegistry
package import KindCatalogue
package import PushDelivery
internal import Synchronization

/// The way from a record to the nudge: rows on disk first, then one request a device, then what came of it.
///
/// Nothing is sent twice: an attempt is made once, whatever its answer, and there is no queue to retry from. Two
/// stages, so that nobody waits for a push server who does not have to: jobs become rows, rows become requests.
package final class WakePipeline: Nudge {
  /// Jobs that may wait. A job is some hundred octets; a core that raises 5,000 alerts a second (the contract's
  /// rate) fills this in 20 s if nothing moves. A wake beyond it is dropped: the record has the alert.
  static let waitingJobs = 100_000
  /// Jobs that are made into rows at once: what fills the store's group commits.
  static let runningJobs = 256
  /// Devices on one page of a fan-out: one read and one commit for so many.
  static let targetsPerPage = 256
  /// Requests that wait or run, in all: half of what the sender lets wait, so that it never refuses one.
  static let sendsUnderWay = 16_384
  /// Wakes of one device that wait or run. The next ones are not sent: those that wait will say as much.
  /// Few, so that thousands of phones behind dead push servers leave room for the others.
  static let sendsPerDevice = 4
  /// Random octets of a receipt: 22 base64url characters.
  static let receiptOctets = 16

  let store: any RegistryStore
  let sender: PushSender
  let tokens: VAPIDTokenCache
  let ttlSeconds: Int
  let clock: WallClock
  let random: RandomOctets
  let log: Log
  let underWay = AsyncSemaphore(places: sendsUnderWay)
  let devicesUnderWay = Mutex(UnderWay<DeviceID>(each: sendsPerDevice))

  private let jobs: AsyncStream<WakeJob>
  private let waiting: AsyncStream<WakeJob>.Continuation
  /// Whether jobs that wait are left undone.
  private let isAbandoned = Atomic(false)

  package init(
    store: any RegistryStore, sender: PushSender, tokens: VAPIDTokenCache, ttlSeconds: Int, clock: WallClock,
    random: RandomOctets, log: Log
  ) {
    self.store = store
    self.sender = sender
    self.tokens = tokens
    self.ttlSeconds = ttlSeconds
    self.clock = clock
    self.random = random
    self.log = log
    (jobs, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingJobs))
  }

  package func alertRecorded(_ alert: AlertID, kind: Kind, of stack: StackID) {
    enqueue(.alert(alert, kind: kind, of: stack))
  }

  package func subscriptionChanged(_ device: DeviceID, of stack: StackID) {
    enqueue(.activation(device, of: stack))
  }

  /// Wakes one device now and tells what came of it; nil where it has no subscription.
  func test(_ device: DeviceID, of stack: StackID) async throws(RegistryError) -> AttemptID? {
    let job = WakeJob.test(device, of: stack)
    guard let wake = try await rows(for: job, after: nil).wakes.first else { return nil }
    await send(wake)
    return wake.attempt
  }

  /// Works through the jobs until ``finish()``, then ends when the last request has.
  package func run() async {
    let (wakes, ready) = AsyncStream<PreparedWake>.makeStream()
    async let sending: Void = send(all: wakes)
    await withDiscardingTaskGroup { group in
      let places = AsyncSemaphore(places: Self.runningJobs)
      for await job in jobs where !isAbandoned.load(ordering: .relaxed) {
        await places.take()
        group.addTask {
          await self.perform(job, ready)
          places.giveBack()
        }
      }
    }
    ready.finish()
    await sending
  }

  /// No job is taken any more; those that wait are still done.
  package func finish() { waiting.finish() }

  /// No job is taken any more, and those that wait are left: their alerts are on record.
  package func abandon() {
    isAbandoned.store(true, ordering: .relaxed)
    finish()
  }

  private func enqueue(_ job: WakeJob) {
    if case .dropped = waiting.yield(job) {
      log.error("too many wakes are waiting: one for stack \(job.stack) was dropped, its alert is kept")
    }
  }

  /// Makes a job into rows, and hands over what has to go out.
  private func perform(_ job: WakeJob, _ ready: AsyncStream<PreparedWake>.Continuation) async {
    do throws(RegistryError) {
      var after: DeviceID?
      repeat {
        let page = try await rows(for: job, after: after)
        for wake in page.wakes {
          await underWay.take()
          ready.yield(wake)
        }
        after = page.next
      } while after != nil && !isAbandoned.load(ordering: .relaxed)
    } catch {
      log.error("the wakes for stack \(job.stack) ended early: \(error)")
    }
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
